"""The samples of Documentation/Guide/EncryptedMessages decrypt. WireTests runs the one for Swift."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from envelopes import Key, base64url, decoded
from herald import DEADLINE

SAMPLES = Path(__file__).parents[2] / "Documentation/Guide/EncryptedMessages"
NODE = """\
import { createInterface } from 'node:readline';
import { open } from %s;
const [secret, open_] = process.argv.slice(2);
const jwk = { kty: 'OKP', crv: 'X25519', d: secret, x: open_ };
const privateKey = await crypto.subtle.importKey('jwk', jwk, { name: 'X25519' }, false, ['deriveBits']);
const keys = [{ privateKey, publicKey: Uint8Array.from(Buffer.from(open_, 'base64url')) }];
for await (const line of createInterface({ input: process.stdin })) {
  const [herald_context, herald_envelope] = line.split(' ');
  try {
    console.log(JSON.stringify(await open({ herald_context, herald_envelope }, 'p', keys)));
  } catch {
    console.log('refused');
  }
}
"""
KOTLIN = """\
import java.security.KeyFactory
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64

fun main(arguments: Array<String>) {
    val decoder = Base64.getUrlDecoder()
    val prefix = byteArrayOf(0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x6E, 4, 0x22, 4, 0x20)
    val secret = KeyFactory.getInstance("X25519").generatePrivate(
        PKCS8EncodedKeySpec(prefix + decoder.decode(arguments[0])))
    val key = HeraldEnvelope.Key(secret, decoder.decode(arguments[1]))
    for (line in generateSequence(::readLine)) {
        val (context, envelope) = line.split(" ")
        val data = mapOf("herald_context" to context, "herald_envelope" to envelope)
        println(try { HeraldEnvelope.open(data, "p", listOf(key)) } catch (error: Exception) { "refused" })
    }
}
"""


def node(folder):
    program = folder / "open.mjs"
    program.write_text(NODE % json.dumps(str(SAMPLES / "herald-envelope.mjs")))
    return ["node", str(program)]


def kotlin(folder):
    """Compiles the sample, which takes half a minute."""
    (folder / "Main.kt").write_text(KOTLIN)
    subprocess.run(
        ["kotlinc", str(SAMPLES / "HeraldEnvelope.kt"), str(folder / "Main.kt"), "-include-runtime", "-d", str(folder / "open.jar")],
        check=True, capture_output=True, timeout=20 * DEADLINE)
    return ["java", "-jar", str(folder / "open.jar")]


@pytest.mark.parametrize("program", [node, kotlin])
def test_the_sample_opens_envelopes_and_no_changed_one(tmp_path, program):
    command, key, chance = program(tmp_path), Key("sample"), random.Random(9)
    assert shutil.which(command[0])
    contents = [{"data": {"text": "é🌊\"" * n, "n": str(n)}} for n in range(20)]
    sealed = [key.sealed(each, f"p/call/once/{n}") for n, each in enumerate(contents)]
    whole = decoded(sealed[1]["herald_envelope"])
    changed = []
    for place in range(len(whole)):
        content = bytearray(whole)
        content[place] ^= 1 << chance.randrange(8)
        changed.append(sealed[1] | {"herald_envelope": base64url(bytes(content))})
    changed.append(sealed[1] | {"herald_context": "p/call/once/2"})
    changed.append(Key("other").sealed(contents[1], "p/call/once/1"))
    changed.append(key.sealed(contents[1], "q/call/once/1"))
    lines = "".join(f"{each['herald_context']} {each['herald_envelope']}\n" for each in sealed + changed)
    done = subprocess.run([*command, key.private_text, key.public_text], input=lines.encode(),
                          capture_output=True, check=True, timeout=20 * DEADLINE)
    said = done.stdout.decode().splitlines()
    assert [json.loads(line) for line in said[:len(contents)]] == contents
    assert said[len(contents):] == ["refused"] * len(changed)
