import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findCalls } from './calls.ts'
import { EXCLUDED } from './collect.ts'
import type { DefinedStatement } from './collect.ts'
import type { Problem } from './compare.ts'

/** Returns the calls of `statement` that did not run while their module was loaded, so that they cannot be checked. */
export async function findLateCalls(folder: string, statements: readonly DefinedStatement[]): Promise<Problem[]> {
  const defined = new Set(statements.map(({ file, line, column }) => `${file}:${line}:${column}`))
  const problems: Problem[] = []
  for (const path of globSync('**/*.ts', { cwd: folder })) {
    const file = join(folder, path)
    const source = EXCLUDED.test(path) ? '' : await readFile(file, 'utf8')
    if (!source.includes('statement')) continue
    for (const { line, column } of findCalls(file, source)) {
      if (!defined.has(`${file}:${line}:${column}`))
        problems.push({ file, line, text: 'the statement is not defined when its module is loaded' })
    }
  }
  return problems
}
