import assert from 'node:assert/strict'
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openSecrets } from './secrets.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-secrets-'))
after(() => rm(dataDir, { recursive: true }))
const secrets = await openSecrets(dataDir)

test('data can be decrypted for its purpose and for no other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.string(), fc.string(), (bytes, purpose, other) => {
      const sealed = secrets.encrypt(purpose, Buffer.from(bytes))
      assert.deepEqual(secrets.decrypt(purpose, sealed), Buffer.from(bytes))
      if (other !== purpose) assert.throws(() => secrets.decrypt(other, sealed))
    }),
  )
})

test('changed, truncated or foreign data is not decrypted', () => {
  const sealed = secrets.encrypt('key of 1', Buffer.from('a private key'))
  for (let i = 0; i < sealed.length; i += 1) {
    const changed = Buffer.from(sealed)
    changed[i]! ^= 1
    assert.throws(() => secrets.decrypt('key of 1', changed), `byte ${i}`)
    assert.throws(() => secrets.decrypt('key of 1', sealed.subarray(0, i)), `cut at ${i}`)
  }
  assert.throws(() => secrets.decrypt('key of 1', Buffer.from('a private key')))
})

test('the same text is never encrypted to the same bytes', () => {
  const texts = Array.from({ length: 50 }, () => secrets.encrypt('x', Buffer.from('same')).toString('hex'))
  assert.equal(new Set(texts).size, 50)
})

test('after a change of the base key, older data can be decrypted as long as the old key is listed', async () => {
  const path = join(dataDir, 'secrets.json')
  const before = JSON.parse(await readFile(path, 'utf8')) as { base: string }
  const sealed = secrets.encrypt('x', Buffer.from('old'))
  const base = Buffer.alloc(32, 7).toString('base64url')

  await writeFile(path, JSON.stringify({ ...before, base, retired: [before.base] }))
  const rotated = await openSecrets(dataDir)
  assert.equal(rotated.decrypt('x', sealed).toString(), 'old')
  assert.throws(() => secrets.decrypt('x', rotated.encrypt('x', Buffer.from('new'))), /does not have/)

  await writeFile(path, JSON.stringify({ ...before, base }))
  const withoutOldKey = await openSecrets(dataDir)
  assert.throws(() => withoutOldKey.decrypt('x', sealed), /does not have/)
})

test('a damaged or unreadable file is reported with its path, and never replaced', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-secrets-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'secrets.json')
  const { base } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { base: string }
  const withoutPushKey = JSON.stringify({ base })
  for (const text of ['', '{bad', '{}', '[]', 'null', '{"base":"c2hvcnQ"}', '{"base":7}', withoutPushKey]) {
    await writeFile(path, text)
    await assert.rejects(openSecrets(folder), {
      name: 'SecretsFileError',
      message: `${path} is damaged: restore it from a backup`,
    })
    assert.equal(await readFile(path, 'utf8'), text)
  }
  await rm(path)
  await mkdir(path)
  await assert.rejects(openSecrets(folder), {
    name: 'SecretsFileError',
    message: /secrets\.json can't be read: .*EISDIR/,
  })
})

test('new secrets belong to the owner of the data folder, also if root creates them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-secrets-'))
  t.after(() => rm(folder, { recursive: true }))
  // Only root can give a folder to another user.
  if (process.getuid?.() === 0) await chown(folder, 12_345, 12_346)
  await openSecrets(folder)
  const [{ uid, gid }, file] = [await stat(folder), await stat(join(folder, 'secrets.json'))]
  assert.deepEqual([file.uid, file.gid, file.mode & 0o777], [uid, gid, 0o600])
})
