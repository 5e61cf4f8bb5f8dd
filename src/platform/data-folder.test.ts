import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { closeDataFolder } from './data-folder.ts'

/** A data folder as an earlier version or a careless copy may have left it. */
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

test('a data folder and what lies in it can be read by nobody but the user of the server', async (t) => {
  const dataDir = await makeOpenFolder()
  t.after(() => rm(dataDir, { recursive: true }))
  assert.deepEqual(await closeDataFolder(dataDir), [])
  // As root, the group may be the one of the database, which passes.
  const folder = process.getuid?.() === 0 ? 0o710 : 0o700
  for (const name of ['.', 'media', 'uploads', 'postgres']) {
    assert.equal(await modeOf(join(dataDir, name)), folder, name)
  }
  assert.equal(await modeOf(join(dataDir, 'secrets.json')), 0o600)
})

test('a folder with files of other programs keeps its own mode, and the folders of Linnet in it are closed', async (t) => {
  const dataDir = await makeOpenFolder()
  t.after(() => rm(dataDir, { recursive: true }))
  await writeFile(join(dataDir, 'certificate.pem'), '')
  await closeDataFolder(dataDir)
  assert.equal(await modeOf(dataDir), 0o777)
  assert.equal((await modeOf(join(dataDir, 'media'))) & 0o067, 0)
  assert.equal(await modeOf(join(dataDir, 'secrets.json')), 0o600)
})
