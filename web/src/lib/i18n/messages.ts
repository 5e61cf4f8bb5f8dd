import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../../../../src/lib/messages/locales.ts'
import { startData } from '../start-data.ts'
import type { MessageKinds } from './message-kinds.ts'
import type { Pattern } from './pattern.ts'

/** A message of the client. Its texts are in `src/lib/messages/web-catalogues`. */
export type MessageId = keyof MessageKinds

type Placeholders<Id extends MessageId> = {
  [Name in keyof MessageKinds[Id]]: MessageKinds[Id][Name] extends 'number' ? number : string
}
/** A message without placeholders takes no values. */
export type MessageArguments<Id extends MessageId> = keyof MessageKinds[Id] extends never
  ? []
  : [values: Placeholders<Id>]

type LoadTexts = () => Promise<{ default: Record<string, Pattern> }>

/** A part of the texts; all but `client` are loaded with the pages that need them. */
type MessagePart = 'client' | 'admin' | 'filters' | 'annual-report' | 'emojis' | 'collections'

/** The texts of each language. */
const CATALOGUES: Record<MessagePart, Record<Locale, LoadTexts>> = {
  client: {
    en: () => import('virtual:messages/en'),
    de: () => import('virtual:messages/de'),
    es: () => import('virtual:messages/es'),
    ar: () => import('virtual:messages/ar'),
  },
  admin: {
    en: () => import('virtual:messages/en/admin'),
    de: () => import('virtual:messages/de/admin'),
    es: () => import('virtual:messages/es/admin'),
    ar: () => import('virtual:messages/ar/admin'),
  },
  filters: {
    en: () => import('virtual:messages/en/filters'),
    de: () => import('virtual:messages/de/filters'),
    es: () => import('virtual:messages/es/filters'),
    ar: () => import('virtual:messages/ar/filters'),
  },
  'annual-report': {
    en: () => import('virtual:messages/en/annual-report'),
    de: () => import('virtual:messages/de/annual-report'),
    es: () => import('virtual:messages/es/annual-report'),
    ar: () => import('virtual:messages/ar/annual-report'),
  },
  emojis: {
    en: () => import('virtual:messages/en/emojis'),
    de: () => import('virtual:messages/de/emojis'),
    es: () => import('virtual:messages/es/emojis'),
    ar: () => import('virtual:messages/ar/emojis'),
  },
  collections: {
    en: () => import('virtual:messages/en/collections'),
    de: () => import('virtual:messages/de/collections'),
    es: () => import('virtual:messages/es/collections'),
    ar: () => import('virtual:messages/ar/collections'),
  },
}

/** The language of the client. */
export const locale = startData.locale

const isRightToLeft = document.documentElement.dir === 'rtl'

/** The loaded texts, those in the user's language before the English ones. */
let catalogues: readonly Record<string, Pattern>[] = []
const compiled = new Map<string, IntlMessageFormat>()

/** Loads texts of the user's language, and the English ones for what is not translated. */
export async function loadMessages(part: MessagePart): Promise<void> {
  const load = async (language: Locale) => (await CATALOGUES[part][language]()).default
  const languages: readonly Locale[] = locale === 'en' ? ['en'] : [locale, 'en']
  catalogues = [...new Set([...(await Promise.all(languages.map(load))), ...catalogues])]
}

/** Returns a message in the user's language. */
export function message<Id extends MessageId>(id: Id, ...[values]: MessageArguments<Id>): string {
  const pattern = catalogues.find((texts) => Object.hasOwn(texts, id))?.[id] ?? id
  if (typeof pattern === 'string') return pattern
  let format = compiled.get(id)
  if (!format) compiled.set(id, (format = new IntlMessageFormat(pattern, locale)))
  return String(format.format(isRightToLeft ? isolateNames(values) : values))
}

/** Isolates handles, hashtags and paths, whose first character would otherwise stand at their end in texts from right to left. */
function isolateNames(values: Record<string, string | number> = {}): Record<string, string | number> {
  const isolate = (value: string | number) =>
    typeof value === 'string' && /^[@#/]/.test(value) ? `\u2068${value}\u2069` : value
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolate(value)]))
}
