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
  if (answer === 'yes') return [fine('the clock of this machine is kept right')]
  if (answer !== 'no') return []
  return [care('nothing keeps the clock of this machine right', 'let it use a time server (timedatectl set-ntp true)')]
}
