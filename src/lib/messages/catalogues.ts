import enLayout from './catalogues/en/layout.json' with { type: 'json' }
import enAuth from './catalogues/en/auth.json' with { type: 'json' }
import enScopes from './catalogues/en/scopes.json' with { type: 'json' }
import enSettings from './catalogues/en/settings.json' with { type: 'json' }
import enTransfers from './catalogues/en/transfers.json' with { type: 'json' }
import enPublic from './catalogues/en/public.json' with { type: 'json' }
import enPosts from './catalogues/en/posts.json' with { type: 'json' }
import enMail from './catalogues/en/mail.json' with { type: 'json' }
import enPush from './catalogues/en/push.json' with { type: 'json' }
import enStatusesCleanup from './catalogues/en/statuses-cleanup.json' with { type: 'json' }
import enTwoFactor from './catalogues/en/two-factor.json' with { type: 'json' }
import arLayout from './catalogues/ar/layout.json' with { type: 'json' }
import arAuth from './catalogues/ar/auth.json' with { type: 'json' }
import arScopes from './catalogues/ar/scopes.json' with { type: 'json' }
import arSettings from './catalogues/ar/settings.json' with { type: 'json' }
import arTransfers from './catalogues/ar/transfers.json' with { type: 'json' }
import arPublic from './catalogues/ar/public.json' with { type: 'json' }
import arPosts from './catalogues/ar/posts.json' with { type: 'json' }
import arMail from './catalogues/ar/mail.json' with { type: 'json' }
import arPush from './catalogues/ar/push.json' with { type: 'json' }
import arStatusesCleanup from './catalogues/ar/statuses-cleanup.json' with { type: 'json' }
import arTwoFactor from './catalogues/ar/two-factor.json' with { type: 'json' }
import deLayout from './catalogues/de/layout.json' with { type: 'json' }
import deAuth from './catalogues/de/auth.json' with { type: 'json' }
import deScopes from './catalogues/de/scopes.json' with { type: 'json' }
import deSettings from './catalogues/de/settings.json' with { type: 'json' }
import deTransfers from './catalogues/de/transfers.json' with { type: 'json' }
import dePublic from './catalogues/de/public.json' with { type: 'json' }
import dePosts from './catalogues/de/posts.json' with { type: 'json' }
import deMail from './catalogues/de/mail.json' with { type: 'json' }
import dePush from './catalogues/de/push.json' with { type: 'json' }
import deStatusesCleanup from './catalogues/de/statuses-cleanup.json' with { type: 'json' }
import deTwoFactor from './catalogues/de/two-factor.json' with { type: 'json' }
import esLayout from './catalogues/es/layout.json' with { type: 'json' }
import esAuth from './catalogues/es/auth.json' with { type: 'json' }
import esScopes from './catalogues/es/scopes.json' with { type: 'json' }
import esSettings from './catalogues/es/settings.json' with { type: 'json' }
import esTransfers from './catalogues/es/transfers.json' with { type: 'json' }
import esPublic from './catalogues/es/public.json' with { type: 'json' }
import esPosts from './catalogues/es/posts.json' with { type: 'json' }
import esMail from './catalogues/es/mail.json' with { type: 'json' }
import esPush from './catalogues/es/push.json' with { type: 'json' }
import esStatusesCleanup from './catalogues/es/statuses-cleanup.json' with { type: 'json' }
import esTwoFactor from './catalogues/es/two-factor.json' with { type: 'json' }
import type { Locale } from './locales.ts'

type Catalogues = Readonly<Record<Locale, Readonly<Record<string, string>>>>

/**
 * The messages of each language by their ids, as ICU MessageFormat patterns. A catalogue has one file per area. It
 * contains no markup: links and other elements are tags (`<link>…</link>`) that the template renders.
 */
export const CATALOGUES: Catalogues = {
  en: {
    ...enLayout,
    ...enAuth,
    ...enScopes,
    ...enSettings,
    ...enTransfers,
    ...enPublic,
    ...enPosts,
    ...enMail,
    ...enPush,
    ...enStatusesCleanup,
    ...enTwoFactor,
  },
  ar: {
    ...arLayout,
    ...arAuth,
    ...arScopes,
    ...arSettings,
    ...arTransfers,
    ...arPublic,
    ...arPosts,
    ...arMail,
    ...arPush,
    ...arStatusesCleanup,
    ...arTwoFactor,
  },
  de: {
    ...deLayout,
    ...deAuth,
    ...deScopes,
    ...deSettings,
    ...deTransfers,
    ...dePublic,
    ...dePosts,
    ...deMail,
    ...dePush,
    ...deStatusesCleanup,
    ...deTwoFactor,
  },
  es: {
    ...esLayout,
    ...esAuth,
    ...esScopes,
    ...esSettings,
    ...esTransfers,
    ...esPublic,
    ...esPosts,
    ...esMail,
    ...esPush,
    ...esStatusesCleanup,
    ...esTwoFactor,
  },
}

/** Returns the pattern of a message and the language that it is in, which is English if there is no translation. */
export function findPattern(
  catalogues: Catalogues,
  { locale, id }: { locale: Locale; id: string },
): { pattern: string; language: Locale } {
  const translation = catalogues[locale][id]
  return translation === undefined
    ? { pattern: catalogues.en[id] ?? '', language: 'en' }
    : { pattern: translation, language: locale }
}
