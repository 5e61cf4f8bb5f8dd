import { html, isolate, withoutOverrides } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { csrfField, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { displayName, identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** How the reader stands to somebody. */
export type Bond = 'none' | 'following' | 'requested' | 'own'

export type FollowInput = { uri: string; person: PageAccount; locked: boolean; bond: Bond; failed?: boolean }

/** Asks whether to follow somebody: posts `uri` and `deed` to `paths.interaction`. */
export function followPage(frame: Frame, { uri, person, locked, bond, failed }: FollowInput): string {
  const { locale } = frame
  const body = html`<h1>${markup(locale, 'interaction.follow', { name: displayName(person) })}</h1>
    ${failed && notice('alert', message(locale, 'interaction.failed'))} ${identity(person)}
    ${bond === 'own' && html`<p>${message(locale, 'interaction.own')}</p>`}
    ${bond === 'following' && notice('good', message(locale, 'interaction.following'))}
    ${bond === 'requested' && notice('good', message(locale, 'interaction.requested'))}
    ${
      bond === 'none' &&
      html`${locked && html`<p class="hint">${message(locale, 'interaction.locked')}</p>`}
      ${deeds(frame, { uri, all: [['follow', message(locale, 'interaction.submit')]] })}`
    }
    ${person.url && html`<p><a href="${person.url}">${message(locale, 'interaction.profile')}</a></p>`}
    ${asWhom(locale, frame)}`
  return page(frame, { title: message(locale, 'interaction.follow-plain'), body, shape: 'narrow' })
}

export type PostInput = {
  uri: string
  post: Post
  favourited: boolean
  boosted: boolean
  /** Whether it may be boosted at all. */
  boostable: boolean
  failed?: boolean
  now: Date
}

/** Shows a post from elsewhere, and what can be done with it: posts `uri` and `deed` to `paths.interaction`. */
export function postPage(frame: Frame, input: PostInput): string {
  const { locale } = frame
  const { uri, post, favourited, boosted, boostable, failed, now } = input
  const all: [deed: string, label: string][] = []
  if (!favourited) all.push(['favourite', message(locale, 'interaction.favourite')])
  if (!boosted && boostable) all.push(['boost', message(locale, 'interaction.boost')])
  const body = html`<h1>${message(locale, 'interaction.post')}</h1>
    ${failed && notice('alert', message(locale, 'interaction.failed'))} ${postArticle(locale, { post, now, level: 2 })}
    ${favourited && notice('good', message(locale, 'interaction.favourited'))}
    ${boosted && notice('good', message(locale, 'interaction.boosted'))} ${all.length > 0 && deeds(frame, { uri, all })}
    <div class="answer">
      <p>${message(locale, 'interaction.answer')}</p>
      <p class="address"><bdi>${withoutOverrides(post.url)}</bdi></p>
    </div>
    <p><a href="${post.url}">${message(locale, 'interaction.open')}</a></p>
    ${asWhom(locale, frame)}`
  return page(frame, { title: message(locale, 'interaction.title'), body, shape: 'narrow' })
}

/** Nobody and nothing was found under an address. */
export function nothingFoundPage(frame: Frame, { uri }: { uri: string }): string {
  const { locale } = frame
  const body = html`<h1>${message(locale, 'interaction.nothing')}</h1>
    <p class="lead">${message(locale, 'interaction.nothing-text')}</p>
    ${uri !== '' && html`<p>${markup(locale, 'interaction.address', { address: isolate(uri) })}</p>`}`
  return page(frame, { title: message(locale, 'interaction.nothing'), body, shape: 'narrow' })
}

function deeds(frame: Frame, { uri, all }: { uri: string; all: readonly [deed: string, label: string][] }): SafeHtml {
  return html`<form method="post" action="${paths.interaction}">
    ${csrfField(frame.csrf)} ${hiddenFields({ uri })}
    <p class="actions">
      ${all.map(
        ([deed, label], place) =>
          html`<button
            class="${place === 0 ? 'button' : 'button button-line'}"
            type="submit"
            name="deed"
            value="${deed}"
          >
            ${label}
          </button>`,
      )}
    </p>
  </form>`
}

function asWhom(locale: Locale, { viewer }: Frame): SafeHtml {
  if (!viewer) return html``
  return html`<div class="aside signed-in">
    <p class="quiet">${message(locale, 'interaction.as-you')}</p>
    ${identity({ ...viewer, url: null })}
  </div>`
}
