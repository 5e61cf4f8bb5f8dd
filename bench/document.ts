import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Halt } from '../src/cli/failure.ts'

const PATH = join(import.meta.dirname, '../docs/performance.md')

/** Puts what a run has printed into the documents, in the place of what an earlier one had. @throws Halt */
export async function writeDocument(report: string, { part }: { part: 'standard' | 'large' }): Promise<void> {
  const text = await readFile(PATH, 'utf8')
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`]
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Halt(`${PATH} has no place for the ${part} run`)
  await writeFile(PATH, `${text.slice(0, from)}${begin}\n\n${report}\n\n${text.slice(to)}`)
}
