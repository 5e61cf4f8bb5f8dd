import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { beginLane, endLane } from './lane-end.ts'

/**
 * One of the processes in which `bin/test` runs the whole suite: with a process for each file, loading the server would
 * take a quarter of the time. A lane runs files that no other lane has claimed, one after the other, until there are no
 * more. `node:test` works in each file as in a process of its own, below a test with the name of the file.
 */
const { TEST_LANES: folder, TEST_LANE_COUNT: laneCount } = process.env

/** In milliseconds. The longest file takes a tenth of it; a test that waits for ever fails then, with its name. */
const FILE_TIMEOUT = 10 * 60_000

/** In milliseconds: how long the process may run after its last file. What a failed test has left open prolongs it. */
const END_TIMEOUT = 60_000

if (!folder) throw new Error('Lanes are run by bin/test')

/**
 * The number of this lane, which begins with the file of that number: `node --test` would count a lane without files as
 * a test.
 */
const lane = Number(/\d+/.exec(basename(process.argv[1]!))?.[0])

beginLane()
for (const [index, file] of readFileSync(join(folder, 'files'), 'utf8').trim().split('\n').entries()) {
  if (index < Number(laneCount) ? index !== lane : !claimFile(file)) continue
  await test(file, { timeout: FILE_TIMEOUT }, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}
setTimeout(() => {
  console.error(`Lane ${lane} does not end: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, END_TIMEOUT).unref()
await endLane()

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
