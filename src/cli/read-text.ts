import { readFile } from 'node:fs/promises'
import { Halt } from './failure.ts'

/** A text that the owner has written into a file. @throws Halt when it can't be read */
export async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    throw new Halt(err.code === 'ENOENT' ? `${path} does not exist` : `${path}: ${err.message}`)
  })
}
