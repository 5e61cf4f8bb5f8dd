import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// In a mount namespace of its own, the disk disappears with the process, however it ends.
const NAMESPACE = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']

/** Returns a command that executes the rest of its arguments with a folder that is a disk of `kilobytes` KB. */
export function withSmallDisk(folder: string, kilobytes: number): string[] {
  const mount = `mkdir -p "$0" && mount -t tmpfs -o size=${kilobytes}k linnet "$0" && exec "$@"`
  return ['unshare', ...NAMESPACE, 'sh', '-c', mount, folder]
}

/** The reason to skip tests with a small disk; false if it can be mounted. */
export const noSmallDisk = checkSmallDisk()

function checkSmallDisk(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-small-disk-'))
  const [program = '', ...args] = withSmallDisk(folder, 256)
  const { status } = spawnSync(program, [...args, 'true'])
  rmdirSync(folder)
  return status === 0 ? false : 'no tmpfs may be mounted here'
}
