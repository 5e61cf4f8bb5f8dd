import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { restrictDataFolder } from './restrict-data-folder.ts'

/** Creates a data folder with permissions that an earlier version or a careless copy may have left. */
async function makeOpenFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-folder-'))
  for (const name of ['media', 'uploads', 'postgres']) {
    await mkdir(join(dataDir, name))
    await chmod(join(dataDir, name), 0o755)
  }
  await writeFile(join(dataDir, 'secrets.json'), '{}')
  await chmod(join(dataDir, 'secrets.json'), 0o644)
  await chmod(dataDir, 0o777)
  return dataDir
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('only the user of the server can read a data folder and its contents', async (t) => {
  const dataDir = await makeOpenFolder()
  t.after(() => rm(dataDir, { recursive: true }))
  assert.deepEqual(await restrictDataFolder(dataDir), [])
  // Under root, the group may be that of the database, which traverses the folder.
  const folder = process.getuid?.() === 0 ? 0o710 : 0o700
  for (const name of ['.', 'media', 'uploads', 'postgres']) {
    assert.equal(await modeOf(join(dataDir, name)), folder, name)
  }
  assert.equal(await modeOf(join(dataDir, 'secrets.json')), 0o600)
})

test('a folder with files of other programs keeps its mode, but Linnet’s folders in it are restricted', async (t) => {
  const dataDir = await makeOpenFolder()
  t.after(() => rm(dataDir, { recursive: true }))
  await writeFile(join(dataDir, 'certificate.pem'), '')
  await restrictDataFolder(dataDir)
  assert.equal(await modeOf(dataDir), 0o777)
  assert.equal((await modeOf(join(dataDir, 'media'))) & 0o067, 0)
  assert.equal(await modeOf(join(dataDir, 'secrets.json')), 0o600)
})
