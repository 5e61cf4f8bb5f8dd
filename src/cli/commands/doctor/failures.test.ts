// Slow: starts programs.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startLinnet } from '../../../../test/servers/linnet-process.ts'
import { noSmallDisk, withSmallDisk } from '../../../../test/services/small-disk.ts'

test('doctor says what to do about a read-only file system', { skip: noSmallDisk }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-doctor-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const media = join(dataDir, 'media')
  const within = [...withSmallDisk(media, 256), 'sh', '-c', 'mount -o remount,ro "$0" && exec "$@"', media]
  const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgresql://127.0.0.1:1/birds' }
  const { stdout } = await startLinnet(['doctor'], env, { within }).ended
  assert.match(stdout, /✘ the data folder is not writable: EROFS: .*\n +mount the file system for writing; /)
})
