import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * One of the processes in which `bin/test` runs the whole suite: a process for each file would spend a quarter of the
 * time on loading the server. It takes files that no other lane has taken yet, one after the other, up to its share; in
 * each of them everything of `node:test` is as in a process of its own, below a test that is named after the file.
 */
const { TEST_LANES: folder, TEST_FILES_IN_LANE: share } = process.env
if (!folder) throw new Error('Lanes are run by bin/test')

let taken = 0
for (const file of readFileSync(join(folder, 'files'), 'utf8').trim().split('\n')) {
  if (taken === Number(share)) break
  if (!take(file)) continue
  taken += 1
  await test(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}

/** Whether the file is this lane's now. */
function take(file: string): boolean {
  try {
    mkdirSync(join(folder!, file.replaceAll('/', ' ')))
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw err
  }
}
