import java.security.KeyFactory
import java.security.MessageDigest
import java.security.PrivateKey
import java.security.spec.X509EncodedKeySpec
import java.util.Base64
import javax.crypto.Cipher
import javax.crypto.KeyAgreement
import javax.crypto.Mac
import javax.crypto.spec.GCMParameterSpec
import javax.crypto.spec.SecretKeySpec

/**
 * Opens messages that Herald encrypted for this installation of the app.
 *
 * Requires Java 11 or Android 13 (API 33), which have X25519. For older versions of Android, compute [agree] with
 * Tink or Bouncy Castle. Create the key with `KeyPairGenerator.getInstance("X25519")`.
 */
object HeraldEnvelope {
    /** A key pair of this installation; `publicKey` has 32 bytes. */
    class Key(val privateKey: PrivateKey, val publicKey: ByteArray) {
        /** The text for the column `public_key` of the list. */
        val text: String get() = Base64.getEncoder().encodeToString(publicKey)
        internal val id: ByteArray
            get() = MessageDigest.getInstance("SHA-256").digest(publicKey).copyOf(8)
    }

    private const val HEAD = 41
    private val info = "herald envelope 1".toByteArray()
    private val kem = "KEM".toByteArray() + byteArrayOf(0x00, 0x20)
    private val suite = "HPKE".toByteArray() + byteArrayOf(0x00, 0x20, 0x00, 0x01, 0x00, 0x02)
    private val version = "HPKE-v1".toByteArray()
    private val empty = ByteArray(0)
    /** The beginning of an X25519 key in a SubjectPublicKeyInfo (RFC 8410). */
    private val keyPrefix = byteArrayOf(0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, 0x6E, 3, 0x21, 0)

    /**
     * Returns the content of a message as JSON: an object with `data` and, if the campaign has one, `notification`.
     *
     * If it throws, show nothing: the message was changed, or is for another installation.
     *
     * @param data the data of the message, `RemoteMessage.data`
     * @param project the name of the project in `herald.yaml`
     * @param keys the present key, and former ones until their messages have expired
     */
    fun open(data: Map<String, String>, project: String, keys: List<Key>): String {
        val context = data["herald_context"] ?: ""
        val bytes = Base64.getUrlDecoder().decode(data["herald_envelope"] ?: "")
        require(bytes.size > HEAD && bytes[0] == 1.toByte()) { "not an envelope" }
        require(context.startsWith("$project/")) { "a message of another project" }
        val id = bytes.copyOfRange(1, 9)
        val key = keys.firstOrNull { it.id.contentEquals(id) }
            ?: throw IllegalArgumentException("encrypted for an unknown key")
        return String(opened(bytes, context.toByteArray() + id, key), Charsets.UTF_8)
    }

    // HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
    private fun opened(bytes: ByteArray, associatedData: ByteArray, key: Key): ByteArray {
        val encapsulated = bytes.copyOfRange(9, HEAD)
        val secret = extract(kem, empty, "eae_prk", agree(key.privateKey, encapsulated))
        val shared = expand(kem, secret, "shared_secret", encapsulated + key.publicKey, 32)
        val schedule = byteArrayOf(0) + extract(suite, empty, "psk_id_hash", empty) +
            extract(suite, empty, "info_hash", info)
        val root = extract(suite, shared, "secret", empty)
        val cipher = Cipher.getInstance("AES/GCM/NoPadding")
        cipher.init(
            Cipher.DECRYPT_MODE,
            SecretKeySpec(expand(suite, root, "key", schedule, 32), "AES"),
            GCMParameterSpec(128, expand(suite, root, "base_nonce", schedule, 12))
        )
        cipher.updateAAD(associatedData)
        return cipher.doFinal(bytes, HEAD, bytes.size - HEAD)
    }

    private fun agree(privateKey: PrivateKey, publicKey: ByteArray): ByteArray {
        val agreement = KeyAgreement.getInstance("X25519")
        agreement.init(privateKey)
        val other = KeyFactory.getInstance("X25519").generatePublic(X509EncodedKeySpec(keyPrefix + publicKey))
        agreement.doPhase(other, true)
        return agreement.generateSecret()
    }

    private fun extract(id: ByteArray, salt: ByteArray, label: String, content: ByteArray) =
        mac(salt, version + id + label.toByteArray() + content)

    private fun expand(id: ByteArray, key: ByteArray, label: String, content: ByteArray, length: Int) =
        mac(key, byteArrayOf(0, length.toByte()) + version + id + label.toByteArray() + content + byteArrayOf(1))
            .copyOf(length)

    private fun mac(key: ByteArray, content: ByteArray): ByteArray {
        val mac = Mac.getInstance("HmacSHA256")
        // An empty salt is as many zeros as the hash has bytes (RFC 5869).
        mac.init(SecretKeySpec(if (key.isEmpty()) ByteArray(32) else key, "HmacSHA256"))
        return mac.doFinal(content)
    }
}
