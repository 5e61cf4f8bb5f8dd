import type { Viewer } from '../../../domain/auth/viewer.ts'
import { attributes, html, isolateDirection, isolateDirectionOfText } from '../../../lib/html/html.ts'
import { directionOf } from '../../../lib/messages/locales.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { notice } from './form.ts'
import { iconTags, mark } from './mark.ts'
import { paths, signInPath } from '../paths.ts'
import { avatar, displayName } from './page-account.ts'
import type { PageAccount } from './page-account.ts'
import { previewTags } from './preview.ts'
import type { Preview } from './preview.ts'
import { stylesheet } from './stylesheet.ts'
import { themeTags } from './theme.ts'
import type { Theme } from './theme.ts'
import { message } from '../../../lib/messages/message.ts'

/** What every page shows or needs apart from its own content. */
export type Frame = {
  /** The language of the page. */
  locale: Locale
  /** Default: `auto`. */
  theme?: Theme
  siteTitle: string
  /** The domain of handles. */
  domain: string
  /** The version of Linnet, without a leading v. */
  version: string
  /** The URL of the source code that this server runs. */
  sourceUrl?: string | null
  /** The CSRF token of the session, for every form. */
  csrf: string
  viewer?: PageAccount | null
  /** The account state of the user who is logged in. */
  accountState?: Viewer['accountState']
  registrations: 'open' | 'approved' | 'none'
  /** How users log in. */
  logins?: {
    /** External providers with a button each. */
    providers: readonly { name: string; displayName: string }[]
    /** Whether accounts can have external log-ins. */
    areExternal: boolean
    /** Whether users can log in with a password. */
    acceptsPasswords: boolean
    /** Where users get an account at a provider; null: nowhere. */
    signUpUrl: string | null
  }
  /** A message about the previous action. */
  flash?: { kind: 'alert' | 'good'; text: string } | null
  /** Whether the administrators have published the documents; if so, the footer links to them. */
  hasPrivacyPolicy?: boolean
  hasTerms?: boolean
  /** The element of a script, which only pages with passkeys have. */
  script?: SafeHtml
}

/** The content of a page. Its `body` contains exactly one h1. */
type PageInput = {
  /** Plain text. If it is blank, the title of the site stands alone. */
  title: string
  body: SafeHtml
  /** `narrow`: a column for forms and messages. `wide`: the full width. `bare`: for a frame on another site. */
  shape: 'narrow' | 'wide' | 'bare'
  /** Metadata for link previews and search engines; a page without it has `noindex`. */
  preview?: Preview
}

/** Returns the HTML document. Pages need no scripts, except for passkeys, and no styles except the one stylesheet. */
export function page(frame: Frame, { title, body, shape, preview }: PageInput): string {
  const { locale, theme = 'auto' } = frame
  const site = isolateDirectionOfText(frame.siteTitle)
  const flash = frame.flash && notice(frame.flash.kind, frame.flash.text)
  return html`<!doctype html>
    <html ${attributes({ lang: locale, dir: directionOf(locale), 'data-theme': theme === 'auto' ? null : theme })}>
      <head>
        <meta charset="utf-8" />
        <title>${title === '' ? site : `${title} · ${site}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${themeTags(theme)} ${preview ? previewTags(preview, frame) : html`<meta name="robots" content="noindex" />`}
        ${shape === 'bare' && html`<base target="_blank" />`} ${iconTags}
        <link rel="manifest" href="${paths.manifest}" />
        <link rel="stylesheet" href="${stylesheet.path}" />
        ${frame.script}
      </head>
      <body class="${shape}">
        ${shape !== 'bare' && head(frame, shape)}
        <main id="main" tabindex="-1">
          ${shape === 'narrow' ? html`<div class="sheet">${flash} ${body}</div>` : html`${flash} ${body}`}
        </main>
        ${shape !== 'bare' && footer(frame)}
      </body>
    </html> `.toString()
}

function head(frame: Frame, shape: 'narrow' | 'wide'): SafeHtml {
  const { locale } = frame
  return html`<a class="skip" href="#main">${message(locale, 'layout.skip')}</a>
    <header class="top">
      <a class="brand" href="${paths.landing}"
        >${mark}<span class="brand-name">${isolateDirection(frame.siteTitle)}</span></a
      >
      ${shape === 'wide' && nav(frame)}
    </header>`
}

function nav(frame: Frame): SafeHtml {
  const { locale } = frame
  if (frame.viewer) {
    return html`<nav class="top-links">
      <a class="top-person" href="${paths.account}"
        >${avatar(frame.viewer)}<span class="unseen">${message(locale, 'layout.account')}: </span
        ><span class="top-person-name">${displayName(frame.viewer)}</span></a
      >
    </nav>`
  }
  return html`<nav class="top-links">
    <a class="button button-plain" href="${signInPath(paths.home)}">${message(locale, 'layout.sign-in')}</a>
    ${signUpUrlOf(frame) && html`<a class="button button-line" href="${signUpUrlOf(frame)}">${message(locale, 'layout.sign-up')}</a>`}
  </nav>`
}

/** Returns the URL of the page on which new users sign up, here or at a provider; null if there is none. */
export function signUpUrlOf({ registrations, logins }: Frame): string | null {
  return registrations === 'none' ? (logins?.signUpUrl ?? null) : paths.signUp
}

function footer(frame: Frame): SafeHtml {
  const { locale } = frame
  return html`<footer class="foot">
    <ul>
      <li>${isolateDirection(frame.domain)}</li>
      <li><a href="${paths.about}">${message(locale, 'layout.about')}</a></li>
      ${frame.hasPrivacyPolicy && html`<li><a href="${paths.privacy}">${message(locale, 'document.privacy')}</a></li>`}
      ${frame.hasTerms && html`<li><a href="${paths.terms}">${message(locale, 'document.terms')}</a></li>`}
      <li>${isolateDirection(`Linnet ${frame.version}`)}</li>
      ${frame.sourceUrl && html`<li><a href="${frame.sourceUrl}">${message(locale, 'layout.source')}</a></li>`}
    </ul>
  </footer>`
}
