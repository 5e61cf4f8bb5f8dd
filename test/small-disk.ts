import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A mount namespace of its own: the small disk disappears with the process, however it ends.
const NAMESPACE = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']

/** A command that becomes the one behind it, to which a folder is a disk of so many kilobytes. */
export function withSmallDisk(folder: string, kilobytes: number): string[] {
  const mount = `mkdir -p "$0" && mount -t tmpfs -o size=${kilobytes}k linnet "$0" && exec "$@"`
  return ['unshare', ...NAMESPACE, 'sh', '-c', mount, folder]
}

/** Why no small disk can be had here; false where it can. */
export const noSmallDisk = findOut()

function findOut(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-small-disk-'))
  const [program = '', ...args] = withSmallDisk(folder, 256)
  const { status } = spawnSync(program, [...args, 'true'])
  rmdirSync(folder)
  return status === 0 ? false : 'no tmpfs may be mounted here'
}
