import { execFile } from 'node:child_process'
import { warning, ok } from './finding.ts'
import type { Finding } from './finding.ts'

/** Checks whether the system clock is synchronised. Returns nothing if that is unknown. */
export async function checkClock(): Promise<Finding[]> {
  const isSynchronized = await new Promise<string>((resolve) => {
    execFile('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 3_000 }, (err, output) =>
      resolve(err ? '' : output.trim()),
    )
  })
  if (isSynchronized === 'yes') return [ok('the system clock is synchronised')]
  if (isSynchronized !== 'no') return []
  return [warning('the system clock is not synchronised', 'enable time synchronisation (timedatectl set-ntp true)')]
}
