import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { beginSharedProcess, endSharedProcess } from './shared-process-end.ts'

/**
 * One of the processes in which `bin/test` runs the whole suite: with a process for each file, loading the server would
 * take a quarter of the time. It runs files that no other process has claimed, one after the other, until there are no
 * more. `node:test` works in each file as in a process of its own, below a test with the name of the file.
 */
const { TEST_SHARED_FOLDER: folder, TEST_SHARED_PROCESSES: processCount } = process.env

/** In milliseconds. The longest file takes a tenth of it; a test that waits for ever fails then, with its name. */
const FILE_TIMEOUT = 10 * 60_000

/** In milliseconds: how long the process may run after its last file. What a failed test has left open prolongs it. */
const END_TIMEOUT = 60_000

if (!folder) throw new Error('Shared processes are run by bin/test')

/**
 * The number of this process, which begins with the file of that number: `node --test` would count a process without
 * files as a test.
 */
const processNumber = Number(/\d+/.exec(basename(process.argv[1]!))?.[0])

beginSharedProcess()
for (const [index, file] of readFileSync(join(folder, 'files'), 'utf8').trim().split('\n').entries()) {
  if (index < Number(processCount) ? index !== processNumber : !claimFile(file)) continue
  await test(file, { timeout: FILE_TIMEOUT }, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}
setTimeout(() => {
  console.error(`Process ${processNumber} does not end: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, END_TIMEOUT).unref()
await endSharedProcess()

/** Claims a file for this process; returns false if another one has claimed it. */
function claimFile(file: string): boolean {
  try {
    mkdirSync(join(folder!, file.replaceAll('/', ' ')))
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw err
  }
}
