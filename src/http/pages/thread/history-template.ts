import { html, isolateText } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { detectDirection } from '../../../lib/text/detect-direction.ts'
import { differencesOf } from '../../../lib/text/differences.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { identity, nameOf } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { behindWarning } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { fullTime } from '../layout/time.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** A post as it was at some time, in plain text. */
export type Version = {
  /** 1 is the first. */
  number: number
  at: Date
  text: string
  /** Blank for none. */
  warning: string
  sensitive: boolean
  options: readonly string[]
  media: readonly { id: string; description: string }[]
}

export type HistoryInput = {
  author: PageAccount
  postUrl: string
  /** The latest first, each with the one before it; null: it is the first. */
  versions: readonly { version: Version; before: Version | null }[]
  /** How many there are in all. */
  count: number
  newer: string | null
  older: string | null
  preview: Preview
}

/** Every version of a post, and what changed from one to the next. */
export function historyPage(frame: Frame, input: HistoryInput): string {
  const { locale } = frame
  const { author, postUrl, versions, count, newer, older, preview } = input
  const body = html`<div class="column">
    <header class="column-head">
      <p><a class="back" href="${postUrl}">${icons.back} ${message(locale, 'history.back')}</a></p>
      <h1>${message(locale, 'history.heading')}</h1>
      ${identity(author)}
    </header>
    ${versions.map((one) => versionArticle(locale, { ...one, isPresent: one.version.number === count }))}
    ${
      (newer !== null || older !== null) &&
      html`<nav class="pager" aria-label="${message(locale, 'history.pages')}">
        ${newer !== null && html`<a class="button button-line" rel="prev" href="${newer}">${icons.back} ${message(locale, 'history.newer')}</a>`}
        ${older !== null && html`<a class="button button-line" rel="next" href="${older}">${message(locale, 'history.older')} ${icons.forward}</a>`}
      </nav>`
    }
  </div>`
  return page(frame, {
    title: message(locale, 'history.title', { name: isolateText(nameOf(author)) }),
    body,
    shape: 'wide',
    preview,
  })
}

function versionArticle(
  locale: Locale,
  { version, before, isPresent }: { version: Version; before: Version | null; isPresent: boolean },
): SafeHtml {
  const { number, at } = version
  const note =
    before === null ? message(locale, 'history.first') : isPresent ? message(locale, 'history.present') : null
  return html`<article class="version" aria-labelledby="version-${number}">
    <header class="version-head">
      <h2 id="version-${number}">${message(locale, 'history.version', { number })}</h2>
      <p class="quiet">
        <time datetime="${at.toISOString()}">${fullTime(locale, at)}</time>${note && html` · ${note}`}
      </p>
    </header>
    ${warned(locale, { version, before })}
  </article>`
}

/** What a warning stands before, or stood before until this version, stays behind it here as well. */
function warned(locale: Locale, { version, before }: { version: Version; before: Version | null }): SafeHtml {
  const all = before === null ? whole(locale, version) : changes(locale, { version, before })
  const was = before?.warning ?? version.warning
  if (version.warning.trim() === '' && was.trim() === '') return all
  const words = difference(locale, { before: was, after: version.warning })
  const warning = html`<span dir="auto"
    ><span class="quiet">${message(locale, 'history.warning')}</span> <bdi>${words}</bdi></span
  >`
  return behindWarning(locale, { warning, hidden: all })
}

/** The first version has nothing to be held against. */
function whole(locale: Locale, { text: said, sensitive, options, media }: Version): SafeHtml {
  return html`${versionText({ text: said }, said)}
  ${sensitive && html`<p class="hint">${message(locale, 'history.now-sensitive')}</p>`}
  ${options.map((option) => labelled(message(locale, 'history.option'), html`<bdi>${option}</bdi>`))}
  ${media.map(({ description }) => labelled(message(locale, 'history.media'), html`<bdi>${description || message(locale, 'post.file')}</bdi>`))}`
}

function changes(locale: Locale, { version, before }: { version: Version; before: Version }): SafeHtml {
  const options = Array.from({ length: Math.max(version.options.length, before.options.length) }, (_, place) => [
    before.options[place] ?? '',
    version.options[place] ?? '',
  ]).filter(([old, fresh]) => old !== fresh)
  const old = new Map(before.media.map((one) => [one.id, one.description]))
  const fresh = new Map(version.media.map((one) => [one.id, one.description]))
  return html`${
    version.text === before.text
      ? html`<p class="quiet">${message(locale, 'history.same')}</p>`
      : versionText(version, difference(locale, { before: before.text, after: version.text }))
  }
  ${
    version.sensitive !== before.sensitive &&
    html`<p class="hint">${message(locale, version.sensitive ? 'history.now-sensitive' : 'history.not-sensitive')}</p>`
  }
  ${options.map(([was = '', is = '']) => labelled(message(locale, 'history.option'), difference(locale, { before: was, after: is })))}
  ${version.media.map(({ id, description }) => {
    const was = old.get(id)
    if (was === undefined)
      return labelled(
        message(locale, 'history.media-added'),
        html`<bdi>${description || message(locale, 'post.file')}</bdi>`,
      )
    if (was === description) return html``
    return labelled(message(locale, 'history.media-changed'), difference(locale, { before: was, after: description }))
  })}
  ${before.media
    .filter(({ id }) => !fresh.has(id))
    .map(({ description }) =>
      labelled(
        message(locale, 'history.media-removed'),
        html`<bdi>${description || message(locale, 'post.file')}</bdi>`,
      ),
    )}`
}

/** Laid out in the direction of the version's own words, whatever else is shown between them. */
function versionText({ text }: Pick<Version, 'text'>, shown: SafeHtml | string): SafeHtml {
  return html`<p class="version-text" dir="${detectDirection(text) ?? 'auto'}">${shown}</p>`
}

function labelled(label: string, what: SafeHtml): SafeHtml {
  return html`<p class="version-part" dir="auto"><span class="quiet">${label}</span> ${what}</p>`
}

/** Told by words, too, for those who hear the page. */
function difference(locale: Locale, { before, after }: { before: string; after: string }): SafeHtml {
  return html`${differencesOf(before, after).map(({ kind, text }) =>
    kind === 'same'
      ? text
      : kind === 'added'
        ? html`<ins><span class="unseen">${message(locale, 'history.added')} </span>${text}</ins>`
        : html`<del><span class="unseen">${message(locale, 'history.removed')} </span>${text}</del>`,
  )}`
}
