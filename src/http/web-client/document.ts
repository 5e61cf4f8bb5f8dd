import { html, raw } from '../../lib/html/html.ts'
import type { SafeHtml } from '../../lib/html/html.ts'
import type { Preferences } from '../../entities/accounts/preferences.ts'
import { directionOf } from '../../lib/messages/locales.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { iconTags, mark } from '../pages/layout/mark.ts'
import { themeTags } from '../pages/layout/theme.ts'
import type { Theme } from '../pages/layout/theme.ts'
import { paths } from '../pages/paths.ts'
import type { WebClientBuild } from './read-build.ts'

/** What the web client needs to know before its first request. `web/src/lib/start-data.ts` reads it. */
export interface StartData {
  /** The account of the browser session. */
  accountId: string
  /** The domain of handles. */
  domain: string
  siteTitle: string
  version: string
  /** Base URL of the streaming API. */
  streamingUrl: string
  locale: Locale
  /** For the form that logs out. */
  csrf: string
  /** How the account reads, for a browser that has no settings of it yet. */
  reading: Pick<Preferences, 'reading:expand:media' | 'reading:expand:spoilers'>
  /** Whether the server translates posts. */
  hasTranslation: boolean
  /** The year of the annual reports that users can request or read now, or null. */
  annualReportYear: number | null
}

/** Returns the modules with the texts of a language; what is not translated is English. */
function textsOf({ texts }: WebClientBuild, locale: Locale): string[] {
  return [...new Set(['en', locale])].flatMap((language) => texts.get(language) ?? [])
}

/**
 * What the page shows until the client has started: first nothing, then that it loads, then a link that tries again. The
 * times are in `web/src/ui/page/starting.css`, so that it also appears if no script loads.
 */
function starting(locale: Locale): SafeHtml {
  return html`<div class="starting" id="starting">
    ${mark}
    <p role="status">${message(locale, 'layout.loading')}</p>
    <main class="starting-failed">
      <h1>${message(locale, 'layout.loading-failed')}</h1>
      <p><a href="">${message(locale, 'layout.reload')}</a></p>
    </main>
  </div>`
}

/** Returns the document in which the web client runs. It has no inline script and no inline style. */
export function webClientDocument(
  build: WebClientBuild,
  { startData, theme }: { startData: StartData; theme: Theme },
): string {
  const { locale, siteTitle } = startData
  return html`<!doctype html>
    <html lang="${locale}" dir="${directionOf(locale)}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <title>${siteTitle}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        ${themeTags(theme)}
        <meta name="robots" content="noindex" />
        ${iconTags}
        <link rel="manifest" href="${paths.manifest}" />
        ${build.styles.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
        ${[...build.preloads, ...textsOf(build, locale)].map((path) => html`<link rel="modulepreload" href="${path}" />`)}
        ${raw(`<script type="module" src="${build.script}"></script>`)}
      </head>
      <body>
        <div id="root">${starting(locale)}</div>
        <template id="start-data" data-json="${JSON.stringify(startData)}"></template>
        <noscript>
          <div class="without-script">
            ${mark}
            <p>${message(locale, 'layout.noscript')}</p>
            <p><a href="${paths.account}">${message(locale, 'layout.account')}</a></p>
          </div>
        </noscript>
      </body>
    </html> `.toString()
}
