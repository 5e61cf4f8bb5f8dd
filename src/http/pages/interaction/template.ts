import { html, isolate, withoutOverrides } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { csrfField, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { displayName, identity } from '../layout/page-account.ts'
import type { Person } from '../layout/page-account.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import { textFor } from '../text.ts'
import type { Text } from '../text.ts'

/** How the reader stands to somebody. */
export type Bond = 'none' | 'following' | 'requested' | 'own'

export type FollowInput = { uri: string; person: Person; locked: boolean; bond: Bond; failed?: boolean }

/** Asks whether to follow somebody: posts `uri` and `deed` to `paths.interaction`. */
export function followPage(frame: Frame, { uri, person, locked, bond, failed }: FollowInput): string {
  const text = textFor(frame.lang)
  const words = text.everybody.interaction
  const body = html`<h1>${words.follow(displayName(person))}</h1>
    ${failed && notice('alert', words.failed)} ${identity(person)} ${bond === 'own' && html`<p>${words.own}</p>`}
    ${bond === 'following' && notice('good', words.following)}
    ${bond === 'requested' && notice('good', words.requested)}
    ${
      bond === 'none' &&
      html`${locked && html`<p class="hint">${words.locked}</p>`}
      ${deeds(frame, { uri, all: [['follow', words.submit]] })}`
    }
    ${person.url && html`<p><a href="${person.url}">${words.profile}</a></p>`} ${asWhom(text, frame)}`
  return page(frame, { title: words.followPlain, body, shape: 'narrow' })
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
  const text = textFor(frame.lang)
  const words = text.everybody.interaction
  const { uri, post, favourited, boosted, boostable, failed, now } = input
  const all: [deed: string, label: string][] = []
  if (!favourited) all.push(['favourite', words.favourite])
  if (!boosted && boostable) all.push(['boost', words.boost])
  const body = html`<h1>${words.post}</h1>
    ${failed && notice('alert', words.failed)} ${postArticle(text, { post, now, level: 2 })}
    ${favourited && notice('good', words.favourited)} ${boosted && notice('good', words.boosted)}
    ${all.length > 0 && deeds(frame, { uri, all })}
    <div class="answer">
      <p>${words.answer}</p>
      <p class="address"><bdi>${withoutOverrides(post.url)}</bdi></p>
    </div>
    <p><a href="${post.url}">${words.open}</a></p>
    ${asWhom(text, frame)}`
  return page(frame, { title: words.title, body, shape: 'narrow' })
}

/** Nobody and nothing was found under an address. */
export function nothingFoundPage(frame: Frame, { uri }: { uri: string }): string {
  const { interaction } = textFor(frame.lang).everybody
  const body = html`<h1>${interaction.nothing}</h1>
    <p class="lead">${interaction.nothingText}</p>
    ${uri !== '' && html`<p>${interaction.address}: ${isolate(uri)}</p>`}`
  return page(frame, { title: interaction.nothing, body, shape: 'narrow' })
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

function asWhom({ everybody }: Text, { viewer }: Frame): SafeHtml {
  if (!viewer) return html``
  return html`<div class="aside signed-in">
    <p class="quiet">${everybody.interaction.asYou}</p>
    ${identity({ ...viewer, url: null })}
  </div>`
}
