import { execFile } from 'node:child_process'
import { care, fine } from './finding.ts'
import type { Finding } from './finding.ts'

/** Whether something keeps this machine's clock right, where that can be known. */
export async function checkClock(): Promise<Finding[]> {
  const answer = await new Promise<string>((resolve) => {
    execFile('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 3_000 }, (err, output) =>
      resolve(err ? '' : output.trim()),
    )
  })
  if (answer === 'yes') return [fine('the system clock is synchronised')]
  if (answer !== 'no') return []
  return [care('the system clock is not synchronised', 'enable time synchronisation (timedatectl set-ntp true)')]
}
