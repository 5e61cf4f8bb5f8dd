import type { Command } from 'commander'
import { cleanText } from '../../lib/text/clean-text.ts'
import { snakeCase } from '../../lib/text/snake-case.ts'

export interface OutputOptions {
  json: boolean
}

/** A cell of a printed row. Null and empty texts become `-`. */
type Cell = string | number | Date | null

/** Adds the option `--json` to a command that lists, shows or counts; it prints its result by a function of this file. */
export function allowJson(command: Command): Command {
  return command.option('--json', 'print the result as JSON', false)
}

/** Adds the option `--dry-run` to a command that changes or deletes rows in bulk. */
export function allowDryRun(command: Command): Command {
  return command.option('--dry-run', 'change nothing, and print what would be done', false)
}

/** Prints a list: an array of JSON, or one line per row, whose cells are separated by tabs. */
export function printRows<Row extends object>(
  { json }: OutputOptions,
  { rows, cellsOf }: { rows: readonly Row[]; cellsOf(row: Row): readonly Cell[] },
): void {
  if (json) printJson(rows)
  else for (const row of rows) console.log(cellsOf(row).map(formatCell).join('\t'))
}

/** Prints a result: an object of JSON, or lines of text. */
export function printResult(
  { json }: OutputOptions,
  { result, lines }: { result: object; lines: readonly string[] },
): void {
  if (json) printJson(result)
  else for (const line of lines) console.log(line)
}

/** Returns lines of facts: the labels, padded to one width, and the values. */
export function describeFacts(facts: readonly (readonly [label: string, value: Cell])[]): string[] {
  const width = Math.max(...facts.map(([label]) => label.length)) + 2
  return facts.map(([label, value]) => `${label.padEnd(width)}${formatCell(value)}`)
}

function printJson(value: object): void {
  console.log(JSON.stringify(toSnakeCase(value), null, 2))
}

/** Removes control characters, which must not control the terminal, and line breaks. */
function formatCell(cell: Cell): string {
  const text = cell instanceof Date ? cell.toISOString() : String(cell ?? '')
  return cleanText(text).replaceAll(/\s+/g, ' ').trim() || '-'
}

/** Returns a value whose objects have keys in snake case, as the API has them. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [keyInSnakeCase(key), toSnakeCase(field)]))
}

/** Other keys, such as those of languages (`pt-BR`), stay as they are. */
function keyInSnakeCase(key: string): string {
  return /^[a-z][A-Za-z0-9]*$/.test(key) ? snakeCase(key) : key
}
