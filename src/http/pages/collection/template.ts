import { html, isolateDirection, isolateDirectionOfText } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { formatsFor } from '../layout/formats.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { displayName, identity, nameOf } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { emptyFeed } from '../layout/pager.ts'
import type { Preview } from '../layout/preview.ts'

export type CollectionInput = {
  name: string
  /** As its owner typed it. */
  description: string
  language: string | null
  tag: { name: string; url: string } | null
  sensitive: boolean
  updatedAt: Date
  curator: PageAccount
  /** `note`: the beginning of the biography as plain text. `followUrl`: where users of this server follow it. */
  members: readonly { account: PageAccount; note: string; followUrl: string }[]
  preview: Preview
}

/** A collection: what its owner says about it, and the accounts in it. */
export function collectionPage(frame: Frame, input: CollectionInput): string {
  const { locale } = frame
  const { name, description, sensitive, curator, preview } = input
  const text = description !== '' && html`<p class="lead"><bdi lang="${input.language ?? ''}">${description}</bdi></p>`
  const body = html`<div class="column">
    <header class="column-head">
      <h1>${isolateDirection(name)}</h1>
      ${!sensitive && text}
      <p>
        ${markup(locale, 'collection.by', {
          name: curator.url ? html`<a href="${curator.url}">${displayName(curator)}</a>` : displayName(curator),
        })}
      </p>
      ${facts(locale, input)}
    </header>
    ${
      sensitive
        ? html`<details class="more hidden-profile">
            <summary>${message(locale, 'collection.show-sensitive')}</summary>
            ${text} ${members(locale, input)}
          </details>`
        : members(locale, input)
    }
  </div>`
  return page(frame, { title: preview.title, body, shape: 'wide', preview })
}

function facts(locale: Locale, { members: all, tag, language, updatedAt }: CollectionInput): SafeHtml {
  const { dayAndYear } = formatsFor(locale)
  return html`<p class="hint collection-facts">
    <span>${message(locale, 'collection.count', { count: all.length })}</span>
    ${tag && html`<a href="${tag.url}">${isolateDirection(`#${tag.name}`)}</a>`}
    ${language !== null && html`<span>${languageName(locale, language)}</span>`}
    <span>${message(locale, 'collection.updated', { day: dayAndYear.format(updatedAt) })}</span>
  </p>`
}

function members(locale: Locale, { members: all }: CollectionInput): SafeHtml {
  if (all.length === 0) return emptyFeed(message(locale, 'collection.empty'))
  return html`<ul class="members">
    ${all.map(({ account, note, followUrl }) => {
      const name = isolateDirectionOfText(nameOf(account))
      return html`<li class="member">
        ${identity(account)}
        <a
          class="button button-line"
          href="${followUrl}"
          rel="nofollow"
          aria-label="${message(locale, 'collection.follow', { name })}"
          >${message(locale, 'profile.follow')}</a
        >
        ${note !== '' && html`<p class="quiet"><bdi>${note}</bdi></p>`}
      </li>`
    })}
  </ul>`
}

/** Returns the name in the language of the page; the code itself if it is no language tag (BCP 47), as zh-YUE. */
function languageName(locale: Locale, code: string): string {
  try {
    return formatsFor(locale).languages.of(code) ?? code
  } catch {
    return code
  }
}
