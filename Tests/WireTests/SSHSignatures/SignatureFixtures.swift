/// Keys and signatures that `ssh-keygen -Y sign -n herald` made.
enum SignatureFixtures {
    /// What the keys signed.
    static let message = Array("Stay off the pier.\n".utf8)

    struct Fixture: Sendable {
        let key: String
        let signature: String
    }

    static let all = [
        // ed25519
        Fixture(
            key: """
                ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKLRv4Buxqb9h3OenPPV2RdWHwDj2A9iMdqb+OBOs/ft
                """,
            signature: """
                -----BEGIN SSH SIGNATURE-----
                U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgotG/gG7Gpv2Hc56c89XZF1YfAO
                PYD2Ix2pv44E6z9+0AAAAGaGVyYWxkAAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1
                NTE5AAAAQKUwhYpHISi1T0+Wuf8i8aN4lxIAjENamIkBK4Jo+6JcNmuT0xv05lns7FZBHt
                lDDMroWeQ9n0oLazx5xl5EeAc=
                -----END SSH SIGNATURE-----

                """
        ),
        // ecdsa256
        Fixture(
            key: """
                ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMv0kP0Dusp3l8sB68\
                2Y4m8mUo/4uV1m4uadyYHYb3ok9ix2zX6gb+Rpnm+ltLO8jwHcYlcmk0lqPJU2gfFGYDQ=
                """,
            signature: """
                -----BEGIN SSH SIGNATURE-----
                U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE
                EEy/SQ/QO6yneXywHrzZjibyZSj/i5XWbi5p3JgdhveiT2LHbNfqBv5Gmeb6W0s7yPAdxi
                VyaTSWo8lTaB8UZgNAAAAAZoZXJhbGQAAAAAAAAABnNoYTUxMgAAAGUAAAATZWNkc2Etc2
                hhMi1uaXN0cDI1NgAAAEoAAAAhALpjLDt1RSrXqjK4WpxoTKfZAkjk1/4WTt/EtDkgnz5T
                AAAAIQDe0/ffMKmqOMKYckukVBFQRxscnMSvJOU7GDgsm6n47Q==
                -----END SSH SIGNATURE-----

                """
        ),
        // ecdsa384
        Fixture(
            key: """
                ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBFfP8OCe1r2FBmH5jh\
                RQVKTNxTGDeu+EqZB93qVSsQA+qv15H7/iuOKg0A9aNYL6Jr8usS69FWw12hf3pDGKoodFJGORDmhBeU47VAkgVlko\
                KQ7rVJ4QTolEktGNSUMhFg==
                """,
            signature: """
                -----BEGIN SSH SIGNATURE-----
                U1NIU0lHAAAAAQAAAIgAAAATZWNkc2Etc2hhMi1uaXN0cDM4NAAAAAhuaXN0cDM4NAAAAG
                EEV8/w4J7WvYUGYfmOFFBUpM3FMYN674SpkH3epVKxAD6q/Xkfv+K44qDQD1o1gvomvy6x
                Lr0VbDXaF/ekMYqih0UkY5EOaEF5TjtUCSBWWSgpDutUnhBOiUSS0Y1JQyEWAAAABmhlcm
                FsZAAAAAAAAAAGc2hhNTEyAAAAhAAAABNlY2RzYS1zaGEyLW5pc3RwMzg0AAAAaQAAADEA
                suBcI3Of88IwRDN1AfGJ9InaEG2HQXOFN/qkzhcAoXZM1irjxfE8J2L88rOFeoMqAAAAMA
                D1XXhqBBPZ3caV6ZvyjG3BJINa2M/pKLGv45e4s5VCRoaTQy+25k8TQtmUXqXfbQ==
                -----END SSH SIGNATURE-----

                """
        ),
        // ecdsa521
        Fixture(
            key: """
                ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAAm22XPVtb9Ny+A/y\
                VmfWt0j4g2OHGC69/sTnbpdKzLBcgpuhPiq1y4/mM1tu9mHtNv6kQ+xhy+PykFW9Sh3KkJowHrNYa9Y5wXrOnN0tZM\
                UF9y9dGRp0QL7dq0u4idzN60dw8ai+zNQxkZm0TXOc2ouUwe3BmbBb41IG42CegO314rdg==
                """,
            signature: """
                -----BEGIN SSH SIGNATURE-----
                U1NIU0lHAAAAAQAAAKwAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQAAAI
                UEACbbZc9W1v03L4D/JWZ9a3SPiDY4cYLr3+xOdul0rMsFyCm6E+KrXLj+YzW272Ye02/q
                RD7GHL4/KQVb1KHcqQmjAes1hr1jnBes6c3S1kxQX3L10ZGnRAvt2rS7iJ3M3rR3DxqL7M
                1DGRmbRNc5zai5TB7cGZsFvjUgbjYJ6A7fXit2AAAABmhlcmFsZAAAAAAAAAAGc2hhNTEy
                AAAApwAAABNlY2RzYS1zaGEyLW5pc3RwNTIxAAAAjAAAAEIBTtsheW8jBK4Oz3NhI2Z2Cs
                DSYbBEoWiymB/CizeucFmDgQsuz6vf2ySBtGRDmVmWtJgw6TTlhn+ncGPYkOk5JLMAAABC
                AXVnF0TgZjF4kjWi0GCDuSDGQax7X7eNPptqEbIOGxiqkps2thdrdkQPEN2ogtWyeFQdy0
                6jTBWIVlDf0eLB0aw5
                -----END SSH SIGNATURE-----

                """
        ),
        // rsa2048
        Fixture(
            key: """
                ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCY/ybtMDTIMxT84pVRuimEY7upnaDqjy04UAwkhjRxB/E3nfPgsa\
                6bR/ome9tPPqQ+dva2mpN856U3aTtoGA3ecU8DgS8+a4pCogPoVv0sXNTMlxWai1cy/XInDI3aVHkir6BVionS0+J4\
                GCovaSriujL57n4NFsnsS7KIHXfyUpZN3RCxIJ8rsf2wI/0Tz/VjLMUgZzkI9VcPNqp8cEqKPE5ZiHEzS7RJ8mWCw5\
                0OisqMHs0yzf2Y+d5qh72QsdRSSESpZj2pNpwTCNaPglJ6eY6kjPopYcvAAEFrhvqs/y6ULCXBXYspvLrCrzeTXrtv\
                EXkqHMD8nPaFWNgX/OdH
                """,
            signature: """
                -----BEGIN SSH SIGNATURE-----
                U1NIU0lHAAAAAQAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAJj/Ju0wNMgzFPzilVG6KY
                Rju6mdoOqPLThQDCSGNHEH8Ted8+CxrptH+iZ7208+pD529raak3znpTdpO2gYDd5xTwOB
                Lz5rikKiA+hW/Sxc1MyXFZqLVzL9cicMjdpUeSKvoFWKidLT4ngYKi9pKuK6Mvnufg0Wye
                xLsogdd/JSlk3dELEgnyux/bAj/RPP9WMsxSBnOQj1Vw82qnxwSoo8TlmIcTNLtEnyZYLD
                nQ6KyowezTLN/Zj53mqHvZCx1FJIRKlmPak2nBMI1o+CUnp5jqSM+ilhy8AAQWuG+qz/Lp
                QsJcFdiym8usKvN5Neu28ReSocwPyc9oVY2Bf850cAAAAGaGVyYWxkAAAAAAAAAAZzaGE1
                MTIAAAEUAAAADHJzYS1zaGEyLTUxMgAAAQAaVP+c/zwzbNsajeswydA8gxSVwx4DFDv2pL
                /f0r3BVCJ71+WRbUlBJuwEWytts4S0oESwTsM7uKmRh5s0cz2zsFYsr3myBPXL7uD1YzIa
                E9/RBq24fPdXRqVRSUEcvw6mnYAKZXmUgjc17xbX+xPDEoU8uraL0/ytu6mbsgRyjFjr2I
                HuKeWOGwtlFYVQTSARKzYAZd5erJLWhocoWjbxq5i4ZaHRawnu6wXaziZmjOU5XGxZufys
                KgJpiOjZXzjHS0/IpqPs1MapJ5eYsc60nHPRIVOr4NvFkr8VdUfzWO3BtxY9C4R4V1XM9P
                W2g+OfafGsYt3SyaB1tg2ulOQd
                -----END SSH SIGNATURE-----

                """
        ),
    ]
}
