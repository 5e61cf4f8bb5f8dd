import { readFile } from 'node:fs/promises'
import { CommandError } from '../command-error.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read by this user',
}

/** Reads a text file. @throws CommandError if it cannot be read */
export async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} ${REASONS[err.code ?? ''] ?? `cannot be read: ${err.message}`}`)
  })
}
