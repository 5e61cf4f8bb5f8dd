import { dirname, join } from 'node:path'

/**
 * Returns the path of a file or folder in the bundle of the server (bin/build-server.ts), or null if the program runs from
 * its sources. The bundle also has the modules that are loaded by their path, because Node's compiler of TypeScript takes
 * 10 MB of each process that loads one source file.
 */
export function bundledPath(name: string): string | null {
  const { filename } = import.meta
  return filename.endsWith('.js') ? join(dirname(filename), name) : null
}
