import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { findCalls } from './calls.ts'
import type { DefinedStatement } from './collect.ts'
import type { Expectation, TypeText } from './types.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** A mistake in a statement, with the position of its definition. */
export interface Problem {
  file: string
  line: number
  text: string
}

/** An expectation of one of the variants that a call of `statement` defines. */
export interface Expected {
  statement: DefinedStatement
  expectation: Expectation
}

/**
 * Compares the declared types of statements with the expectations: it appends one assertion for each statement to a copy
 * of its file, where the names of its types are in scope, and compiles the copies of the whole folder.
 */
export async function compareTypes(folder: string, expected: readonly Expected[]): Promise<Problem[]> {
  const copy = await mkdtemp(join(tmpdir(), 'linnet-statements-'))
  try {
    await cp(folder, join(copy, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
    await cp(join(import.meta.dirname, 'agreement.ts'), join(copy, 'agreement.ts'))
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    await cp(join(ROOT, 'package.json'), join(copy, 'package.json'))
    await writeFile(join(copy, 'tsconfig.json'), await compilerOptions())
    const assertions = new Map<string, DefinedStatement>()
    const problems: Problem[] = []
    for (const [file, group] of Map.groupBy(expected, ({ statement }) => statement.file)) {
      const target = join(copy, 'src', relative(folder, file))
      const { text, lines, missing } = await appendAssertions(group, {
        file,
        agreement: `${'../'.repeat(relative(folder, file).split('/').length)}agreement.ts`,
      })
      await writeFile(target, text)
      problems.push(...missing)
      for (const [line, statement] of lines) assertions.set(`${relative(copy, target)}:${line}`, statement)
    }
    for (const { position, text } of await compile(copy)) {
      const statement = assertions.get(position)
      if (statement === undefined) problems.push({ file: position, line: 0, text })
      else
        for (const one of readProblems(text)) problems.push({ file: statement.file, line: statement.line, text: one })
    }
    return uniqueProblems(problems)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function compilerOptions(): Promise<string> {
  const { compilerOptions: options } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: Record<string, unknown>
  }
  // Only the assertions matter here: the type check of the sources finds other errors.
  const own = { noUnusedLocals: false, noUnusedParameters: false, noErrorTruncation: true }
  return JSON.stringify({ compilerOptions: { ...options, ...own }, include: ['src'] })
}

/** Appends an assertion for each statement. `agreement` is the relative path of the copy of `agreement.ts`. */
async function appendAssertions(
  group: readonly Expected[],
  { file, agreement }: { file: string; agreement: string },
): Promise<{ text: string; lines: Map<number, DefinedStatement>; missing: Problem[] }> {
  const source = await readFile(file, 'utf8')
  const calls = new Map(findCalls(file, source).map((call) => [`${call.line}:${call.column}`, call]))
  const lines = new Map<number, DefinedStatement>()
  const missing: Problem[] = []
  let text = `${source}\n`
  let line = text.split('\n').length
  const append = (added: string): void => {
    text += `${added}\n`
    line += 1
  }
  append(`import type { Problems as Problems__ } from '${agreement}'`)
  for (const [n, { statement, expectation }] of group.entries()) {
    const call = calls.get(`${statement.line}:${statement.column}`)
    if (call === undefined) {
      missing.push({ file, line: statement.line, text: 'no call of `statement` starts at this position' })
      continue
    }
    append(`type P${n}__ = Problems__<${call.declared}, ${factsOf(expectation)}>`)
    lines.set(line, statement)
    // With a prefix, because the compiler's message names a union by its alias and lists any other union.
    append(`export const p${n}__: [P${n}__] extends [never] ? true : \`problem: \${P${n}__}\` = true`)
  }
  return { text, lines, missing }
}

function factsOf({ params, row }: Expectation): string {
  const fields = (facts: Record<string, TypeText & { nullability?: string }>): string =>
    Object.entries(facts)
      .map(([key, { type, name, nullability }]) => {
        const nullable = nullability === undefined ? '' : `; nullability: '${nullability}'`
        return `${JSON.stringify(key)}: { type: ${type}; name: '${name}'${nullable} }`
      })
      .join('; ')
  return `{ params: { ${fields(params)} }; row: { ${fields(row)} } }`
}

async function compile(folder: string): Promise<{ position: string; text: string }[]> {
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  const { stdout } = await promisify(execFile)(tsc, ['--noEmit', '--pretty', 'false', '-p', folder], {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
  }).catch((err: { stdout?: string }) => {
    if (err.stdout === undefined) throw err
    return { stdout: err.stdout }
  })
  return [...stdout.matchAll(/^(.*)\((\d+),\d+\): error \w+: (.*)$/gm)].map(([, file, line, text]) => ({
    position: `${file}:${line}`,
    text: text!,
  }))
}

/** Returns the texts of `Problems` in a message of the compiler, or the whole message of another error. */
function readProblems(message: string): string[] {
  const texts = [...message.matchAll(/"problem: ([^"]*)"/g)].map(([, text]) => text!)
  return message.startsWith("Type 'true' is not assignable") && texts.length > 0 ? texts : [message]
}

function uniqueProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((one) => [`${one.file}:${one.line} ${one.text}`, one])).values()]
}
