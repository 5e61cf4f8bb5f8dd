import { html, isolateDirection, stripDirectionOverrides } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
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

/** Whether the viewer follows the account; `own`: it is their own. */
export type FollowState = 'none' | 'following' | 'requested' | 'own'

export type FollowInput = {
  uri: string
  account: PageAccount
  locked: boolean
  followState: FollowState
  failed?: boolean
}

/** Asks whether to follow an account: posts `uri` and the `action` to `paths.interaction`. */
export function followPage(frame: Frame, { uri, account, locked, followState, failed }: FollowInput): string {
  const { locale } = frame
  const body = html`<h1>${markup(locale, 'interaction.follow', { name: displayName(account) })}</h1>
    ${failed && notice('alert', message(locale, 'interaction.failed'))} ${identity(account)}
    ${followState === 'own' && html`<p>${message(locale, 'interaction.own')}</p>`}
    ${followState === 'following' && notice('good', message(locale, 'interaction.following'))}
    ${followState === 'requested' && notice('good', message(locale, 'interaction.requested'))}
    ${
      followState === 'none' &&
      html`${locked && html`<p class="hint">${message(locale, 'interaction.locked')}</p>`}
      ${actionForm(frame, { uri, actions: [['follow', message(locale, 'interaction.submit')]] })}`
    }
    ${account.url && html`<p><a href="${account.url}">${message(locale, 'interaction.profile')}</a></p>`}
    ${loggedInAs(locale, frame)}`
  return page(frame, { title: message(locale, 'interaction.follow-plain'), body, shape: 'narrow' })
}

export type PostInput = {
  uri: string
  post: Post
  favourited: boolean
  reblogged: boolean
  /** Whether the visibility of the post permits a reblog. */
  canReblog: boolean
  failed?: boolean
  now: Date
}

/** Shows a post and the possible interactions: posts `uri` and the `action` to `paths.interaction`. */
export function postPage(frame: Frame, input: PostInput): string {
  const { locale } = frame
  const { uri, post, favourited, reblogged, canReblog, failed, now } = input
  const actions: [action: string, label: string][] = []
  if (!favourited) actions.push(['favourite', message(locale, 'interaction.favourite')])
  if (!reblogged && canReblog) actions.push(['boost', message(locale, 'interaction.boost')])
  const body = html`<h1>${message(locale, 'interaction.post')}</h1>
    ${failed && notice('alert', message(locale, 'interaction.failed'))} ${postArticle(locale, { post, now, level: 2 })}
    ${favourited && notice('good', message(locale, 'interaction.favourited'))}
    ${reblogged && notice('good', message(locale, 'interaction.boosted'))}
    ${actions.length > 0 && actionForm(frame, { uri, actions })}
    <div class="answer">
      <p>${message(locale, 'interaction.answer')}</p>
      <p class="address"><bdi>${stripDirectionOverrides(post.url)}</bdi></p>
    </div>
    <p><a href="${post.url}">${message(locale, 'interaction.open')}</a></p>
    ${loggedInAs(locale, frame)}`
  return page(frame, { title: message(locale, 'interaction.title'), body, shape: 'narrow' })
}

/** The page for a URI under which no account and no post was found. */
export function nothingFoundPage(frame: Frame, { uri }: { uri: string }): string {
  const { locale } = frame
  const body = html`<h1>${message(locale, 'interaction.nothing')}</h1>
    <p class="lead">${message(locale, 'interaction.nothing-text')}</p>
    ${uri !== '' && html`<p>${markup(locale, 'interaction.address', { address: isolateDirection(uri) })}</p>`}`
  return page(frame, { title: message(locale, 'interaction.nothing'), body, shape: 'narrow' })
}

function actionForm(
  frame: Frame,
  { uri, actions }: { uri: string; actions: readonly [action: string, label: string][] },
): SafeHtml {
  return html`<form method="post" action="${paths.interaction}">
    ${csrfField(frame.csrf)} ${hiddenFields({ uri })}
    <p class="actions">
      ${actions.map(
        ([action, label], index) =>
          html`<button
            class="${index === 0 ? 'button' : 'button button-line'}"
            type="submit"
            name="action"
            value="${action}"
          >
            ${label}
          </button>`,
      )}
    </p>
  </form>`
}

/** Shows with which account the viewer is logged in. */
function loggedInAs(locale: Locale, { viewer }: Frame): SafeHtml {
  if (!viewer) return html``
  return html`<div class="aside signed-in">
    <p class="quiet">${message(locale, 'interaction.as-you')}</p>
    ${identity({ ...viewer, url: null })}
  </div>`
}
