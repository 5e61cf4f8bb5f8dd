import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../src/cli/command-error.ts'

const PATH = join(import.meta.dirname, '../docs/performance.md')

/** Replaces the results of an earlier run in docs/performance.md. @throws CommandError */
export async function updatePerformanceDocument(
  report: string,
  { part }: { part: 'standard' | 'large' },
): Promise<void> {
  const text = await readFile(PATH, 'utf8')
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`]
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new CommandError(`${PATH} has no section for the ${part} dataset`)
  await writeFile(PATH, `${text.slice(0, from)}${begin}\n\n${report}\n\n${text.slice(to)}`)
}
