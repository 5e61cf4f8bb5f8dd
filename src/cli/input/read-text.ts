import { readFile } from 'node:fs/promises'
import { CommandError } from '../command-error.ts'

/** Reads a text file. @throws CommandError if it cannot be read */
export async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    throw new CommandError(err.code === 'ENOENT' ? `${path} does not exist` : `${path}: ${err.message}`)
  })
}
