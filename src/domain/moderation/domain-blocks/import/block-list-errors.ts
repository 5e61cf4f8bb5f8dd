/** Why a row of a list of domain blocks is invalid, with English texts. Clients have translations of the names. */
const TEXTS = {
  comment_too_long: 'has a comment that is too long',
  invalid_domain: 'has no valid domain',
  invalid_value: 'has a value that is neither true nor false',
  obfuscated_domain: 'has an obfuscated domain',
  own_domain: 'is this server itself',
  repeated: 'repeats the domain of line {line}',
  unknown_severity: 'has an unknown severity',
} as const

export type BlockListError = keyof typeof TEXTS

/** Returns a text that stores an error. `line`: the earlier line that is repeated. */
export function storeBlockListError(error: BlockListError, line?: number): string {
  return line === undefined ? error : `${error} ${line}`
}

/**
 * Returns the English text of a stored error of a row, with the name of the error and the repeated line. A row that could
 * not be applied has a text only.
 */
export function readBlockListError(stored: string): { text: string; code: BlockListError | null; line: number | null } {
  const [name = '', line] = stored.split(' ')
  if (!Object.hasOwn(TEXTS, name)) return { text: stored, code: null, line: null }
  const code = name as BlockListError
  return { text: TEXTS[code].replace('{line}', String(line)), code, line: line === undefined ? null : Number(line) }
}
