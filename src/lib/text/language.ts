// Variants whose readers want to tell them apart. Another region or script is dropped: `de-AT` is `de`.
const VARIANTS = new Map(
  'en-GB es-AR es-MX fr-CA nan-TW pt-BR pt-PT sr-Latn zh-CN zh-HK zh-TW zh-YUE'
    .split(' ')
    .map((code) => [code.toLowerCase(), code]),
)
// In use by writers though the runtime has no name for them: Láadan, Balaibalan.
const NAMELESS = new Set(['ldn', 'zba'])
const NO_LANGUAGE = new Set(['mis', 'mul', 'und', 'zxx'])

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/**
 * The code under which a post's language is stored: ISO 639-1 where the language has one, else ISO 639-3, in lower
 * case, or one of a few regional variants (`zh-CN`, `pt-BR`). Case and `_` for `-` do not matter; a three-letter code
 * becomes the two-letter one (`eng` is `en`); every other region or script is dropped.
 *
 * @returns null for what names no language (`und`, `mul` too), whatever it is.
 */
export function normalizeLanguage(code: unknown): string | null {
  if (typeof code !== 'string' || !/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/.test(code)) return null
  const wanted = code.toLowerCase().replaceAll('_', '-')
  const variant = VARIANTS.get(wanted)
  if (variant) return variant
  const [language = ''] = wanted.split('-')
  if (NAMELESS.has(language)) return language
  if (NO_LANGUAGE.has(language) || names.of(language) === undefined) return null
  if (language.length === 2) return language
  const [canonical = language] = Intl.getCanonicalLocales(language)
  return canonical.length === 2 ? canonical : language
}

/** Whether `code` is a language code in the form in which it is stored. */
export function isLanguageCode(code: unknown): code is string {
  return typeof code === 'string' && normalizeLanguage(code) === code
}

// Languages without a two-letter code in which people are known to write here and there.
const FURTHER = `ast ban bar ceb chr ckb cnr csb dsb gsw haw hsb jbo kab ldn lfn moh nan nds pdc pnb rom sco sma smj
  smn sms szl tok vai xal yue zba zgh`.split(/\s+/)
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Where the runtime has no name, or not the usual one. */
const NAMES: Readonly<Record<string, string>> = {
  bh: 'Bihari',
  ldn: 'Láadan',
  'nan-TW': 'Hokkien (Taiwan)',
  tw: 'Twi',
  zba: 'Balaibalan',
  'zh-HK': 'Chinese (Hong Kong)',
  'zh-YUE': 'Cantonese (written)',
}

/** The languages from which people may choose, by their English names; a post may be in still others. */
export function listLanguages(): { code: string; name: string }[] {
  const short = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => normalizeLanguage(code) === code && Intl.getCanonicalLocales(code)[0] === code,
  )
  return [...short, ...FURTHER, ...VARIANTS.values()]
    .map((code) => ({ code, name: NAMES[code] ?? names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
