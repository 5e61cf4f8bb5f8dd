import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * One of the processes in which `bin/test` runs the whole suite: with a process for each file, loading the server would
 * take a quarter of the time. A lane runs files that no other lane has claimed, one after the other, until none is left.
 * `node:test` works in each file as in a process of its own, below a test with the name of the file.
 */
const { TEST_LANES: folder } = process.env
if (!folder) throw new Error('Lanes are run by bin/test')

for (const file of readFileSync(join(folder, 'files'), 'utf8').trim().split('\n')) {
  if (!claimFile(file)) continue
  await test(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}

/** Claims a file for this lane; returns false if another lane has claimed it. */
function claimFile(file: string): boolean {
  try {
    mkdirSync(join(folder!, file.replaceAll('/', ' ')))
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw err
  }
}
