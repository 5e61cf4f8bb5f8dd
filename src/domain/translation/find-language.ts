/** Codes of languages that are the same in writing. */
const EQUIVALENTS: Readonly<Record<string, string>> = { no: 'nb', nb: 'no' }

/**
 * Returns the language of a translation service that fits a language code best, or null. These are tried one after the
 * other: the code itself, the language in the script of the code (`zh-Hant` for `zh-TW`), the language without a region
 * (`pt` for `pt-BR`), the language in its usual script (`zh-Hans` for `zh`), and an equivalent code (`nb` for `no`).
 */
export function findLanguage(names: readonly string[], language: string): string | null {
  const byCode = new Map(names.map((name) => [name.toLowerCase(), name]))
  const code = language.toLowerCase().replaceAll('_', '-')
  const base = code.split('-')[0]!
  for (const candidate of [code, inScript(code), base, inScript(base), EQUIVALENTS[base]]) {
    const name = candidate === undefined ? undefined : byCode.get(candidate)
    if (name !== undefined) return name
  }
  return null
}

/** Returns a language with the script in which it is written, in lower case. */
function inScript(code: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(code).maximize()
    return `${language}-${script}`.toLowerCase()
  } catch {
    // Not a valid code.
    return undefined
  }
}
