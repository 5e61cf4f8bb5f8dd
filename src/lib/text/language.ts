// Variants that are distinguished. Other regions and scripts are removed: `de-AT` becomes `de`.
const VARIANTS = new Map(
  'en-GB es-AR es-MX fr-CA nan-TW pt-BR pt-PT sr-Latn zh-CN zh-HK zh-TW zh-YUE'
    .split(' ')
    .map((code) => [code.toLowerCase(), code]),
)
// Other codes for a variant. Chinese is often named by its script, which `zh` would lose.
const VARIANTS_BY_ALIAS = new Map([
  ['zh-hans', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-hant-hk', 'zh-HK'],
  ['zh-hant-mo', 'zh-HK'],
  ['zh-mo', 'zh-HK'],
])
const LANGUAGE_SCRIPT_REGION = /^([a-z]+)(-[a-z]{4})?(-(?:[a-z]{2}|\d{3}))?(?:-|$)/
// Languages in use for which the runtime has no name: Láadan, Balaibalan.
const CODES_WITHOUT_NAME = new Set(['ldn', 'zba'])
const NO_LANGUAGE = new Set(['mis', 'mul', 'und', 'zxx'])

let names: Intl.DisplayNames | undefined

/** Returns the English name of a language, if the runtime has one. The names are loaded at the first use, in 40 ms. */
function nameOf(code: string): string | undefined {
  names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  return names.of(code)
}

/**
 * Returns the code under which the language of a status is stored: ISO 639-1 if the language has one, else ISO 639-3,
 * in lower case, or one of a few regional variants (`zh-CN`, `pt-BR`). Accepts any case and `_` for `-`. A three-letter
 * code becomes the two-letter one (`eng` becomes `en`), and a script of Chinese the variant with this script
 * (`zh-Hant` becomes `zh-TW`). Other regions and scripts are removed.
 *
 * @returns null for anything that is not a language, including `und` and `mul`
 */
export function normalizeLanguage(code: unknown): string | null {
  if (typeof code !== 'string' || !/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/.test(code)) return null
  const normalizedCode = code.toLowerCase().replaceAll('_', '-')
  const variant = variantOf(normalizedCode)
  if (variant !== undefined) return variant
  const [language = ''] = normalizedCode.split('-')
  if (CODES_WITHOUT_NAME.has(language)) return language
  if (NO_LANGUAGE.has(language) || nameOf(language) === undefined) return null
  if (language.length === 2) return language
  const [canonical = language] = Intl.getCanonicalLocales(language)
  return canonical.length === 2 ? canonical : language
}

/**
 * Returns the variant that a code in lower case names. The script counts before the region: `zh-CN` for `zh-hans-hk`,
 * `sr-Latn` for `sr-latn-rs`.
 */
function variantOf(code: string): string | undefined {
  const [, language = '', script = '', region = ''] = LANGUAGE_SCRIPT_REGION.exec(code) ?? []
  const names = [code, language + script + region, language + script, language + region]
  return names.map((name) => VARIANTS.get(name) ?? VARIANTS_BY_ALIAS.get(name)).find((one) => one !== undefined)
}

/** Returns whether `code` is a language code in the stored form. */
export function isLanguageCode(code: unknown): code is string {
  return typeof code === 'string' && normalizeLanguage(code) === code
}

// Languages without a two-letter code that users write in.
const ADDITIONAL_LANGUAGES =
  `ast ban bar ceb chr ckb cnr csb dsb gsw haw hsb jbo kab ldn lfn moh nan nds pdc pnb rom sco sma smj
  smn sms szl tok vai xal yue zba zgh`.split(/\s+/)
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Names of languages for which the runtime has no name or an unusual one. */
const NAMES: Readonly<Record<string, string>> = {
  bh: 'Bihari',
  ldn: 'Láadan',
  'nan-TW': 'Hokkien (Taiwan)',
  tw: 'Twi',
  zba: 'Balaibalan',
  'zh-HK': 'Chinese (Hong Kong)',
  'zh-YUE': 'Cantonese (written)',
}

/** Returns the English name of a language in the stored form; the code itself if there is none. */
export function languageNameOf(code: string): string {
  return NAMES[code] ?? nameOf(code) ?? code
}

/** Returns the languages that users can choose, ordered by their English names. Statuses may have other languages. */
export function listLanguages(): { code: string; name: string }[] {
  const short = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => normalizeLanguage(code) === code && Intl.getCanonicalLocales(code)[0] === code,
  )
  return [...short, ...ADDITIONAL_LANGUAGES, ...VARIANTS.values()]
    .map((code) => ({ code, name: languageNameOf(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
