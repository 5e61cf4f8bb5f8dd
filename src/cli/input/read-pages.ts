import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { readLimit } from './read-limit.ts'

/** The rows that one statement reads. */
const PAGE_SIZE = 200

export interface PageOptions {
  limit: number
  /** The id of the last row of the list before. */
  after?: string
}

/** Adds the options `--limit` and `--after` to a command that prints a long list, newest first. */
export function allowPages(command: Command): Command {
  return command
    .option('--limit <number>', 'maximum number of rows', readLimit, 50)
    .option('--after <id>', 'continue after the last row of the list before', readId)
}

/**
 * Reads the rows of a list, in pages. If there may be more of them, prints on standard error how to continue. `read`:
 * returns the ids of a page and their rows.
 */
export async function readPages<Row>(
  { limit, after }: PageOptions,
  read: (page: Page) => Promise<{ ids: readonly string[]; rows: readonly Row[] }>,
): Promise<Row[]> {
  const found: Row[] = []
  let [count, last] = [0, after]
  while (count < limit) {
    const pageLimit = Math.min(PAGE_SIZE, limit - count)
    const { ids, rows } = await read({ limit: pageLimit, ...(last !== undefined && { maxId: last }) })
    found.push(...rows)
    if (ids.length < pageLimit) return found
    count += ids.length
    last = ids.at(-1)
  }
  console.error(`There may be more: use --after ${last}`)
  return found
}

function readId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be an id.')
  return text
}
