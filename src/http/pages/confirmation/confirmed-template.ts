import { html, isolateDirection } from '../../../lib/html/html.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths, signInPath } from '../paths.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type ConfirmedInput = {
  /** The account is still waiting for the approval of a moderator. */
  pending: boolean
  /** The app with which the user signed up, and the URL that returns to it. */
  app?: { name: string; url: string } | null
}

/** The page after the user has followed the confirmation link: what to do next. */
export function confirmedPage(frame: Frame, { pending, app }: ConfirmedInput): string {
  const { locale } = frame
  const next = app
    ? html`<a class="button" href="${app.url}"
        >${markup(locale, 'confirmed.app', { app: isolateDirection(app.name) })}</a
      >`
    : frame.viewer
      ? html`<a class="button" href="${paths.account}">${message(locale, 'confirmed.account')}</a>`
      : html`<a class="button" href="${signInPath(paths.start)}">${message(locale, 'confirmed.sign-in')}</a>`
  const body = html`
    <p class="emblem">${icons.done}</p>
    <h1>${message(locale, 'confirmed.title')}</h1>
    <p class="lead">
      ${pending ? message(locale, 'confirmed.pending') : markup(locale, 'confirmed.ready', { site: isolateDirection(frame.siteTitle) })}
    </p>
    ${!pending && html`<p class="actions">${next}</p>`}
  `
  return page(frame, { title: message(locale, 'confirmed.title'), body, shape: 'narrow' })
}
