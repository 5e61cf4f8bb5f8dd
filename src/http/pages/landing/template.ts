import { html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { figures } from '../layout/figures.ts'
import { emptyFeed } from '../layout/pager.ts'
import { formatsFor } from '../layout/formats.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type LandingInput = {
  /** Plain text; blank lets the page explain itself. */
  description: string
  people: number
  posts: number
  /** People seen in the last four weeks. */
  active: number
  /** Whom to turn to. */
  contact?: PageAccount | null
  /** A wide picture of the server. */
  picture?: { url: string; description?: string | null } | null
  /** Hashtags that many people use just now, as they write them. */
  trending: readonly { name: string; url: string }[]
  /** The newest public posts that were written here; null where they are not for everybody. */
  newest: readonly Post[] | null
  /** The address of the page, and that of the picture which messengers show with it. */
  url: string
  preview: string
  now: Date
}

/** The front page: what this server is, how to come in, and what is being said. */
export function landingPage(frame: Frame, input: LandingInput): string {
  const { locale } = frame
  const { number } = formatsFor(locale)
  const lead = markup(locale, 'landing.lead', { domain: isolate(frame.domain) })
  const description = input.description.trim()
  const body = html`<div class="landing">
    <section class="hero">
      <h1>${isolate(frame.siteTitle)}</h1>
      ${description !== '' && html`<p class="lead" dir="auto">${description}</p>`}
      <p class="${description === '' ? 'lead' : 'quiet'}">${lead}</p>
      ${actions(frame)}
      ${figures(message(locale, 'landing.facts'), [
        [number.format(input.people), message(locale, 'landing.people', { count: input.people })],
        [number.format(input.posts), message(locale, 'landing.posts', { count: input.posts })],
        [number.format(input.active), message(locale, 'landing.active', { count: input.active })],
      ])}
      ${
        input.trending.length > 0 &&
        html`<div class="aside">
          <p class="quiet" id="trending">${message(locale, 'landing.trending')}</p>
          <ul class="tags" aria-labelledby="trending">
            ${input.trending.map(({ name, url }) => html`<li><a href="${url}">${isolate(`#${name}`)}</a></li>`)}
          </ul>
        </div>`
      }
      ${
        input.picture &&
        html`<img
          class="hero-picture"
          src="${input.picture.url}"
          alt="${input.picture.description ?? ''}"
          decoding="async"
        />`
      }
      ${
        input.contact &&
        html`<div class="aside">
          <p class="quiet">${message(locale, 'landing.run-by')}</p>
          ${identity(input.contact)}
        </div>`
      }
    </section>
    <section class="feed" aria-labelledby="newest">
      <h2 class="feed-title" id="newest">${message(locale, 'landing.newest')}</h2>
      ${
        input.newest === null || input.newest.length === 0
          ? emptyFeed(
              input.newest === null ? message(locale, 'landing.members-only') : message(locale, 'landing.empty'),
            )
          : input.newest.map((post) => postArticle(locale, { post, now: input.now }))
      }
    </section>
  </div>`
  const preview: Preview = {
    type: 'website',
    title: frame.siteTitle,
    description: description || frame.domain,
    url: input.url,
    image: { url: input.preview, alt: '', large: true },
    noindex: false,
  }
  return page(frame, { title: '', body, shape: 'wide', preview })
}

function actions({ locale, viewer, registrations }: Frame): SafeHtml {
  if (viewer)
    return html`<p class="actions">
      <a class="button" href="${paths.account}">${message(locale, 'layout.account')}</a>
    </p>`
  const signIn = html`<a class="button button-line" href="${paths.signIn}">${message(locale, 'layout.sign-in')}</a>`
  if (registrations === 'none') {
    return html`<p class="actions">${signIn}</p>
      <p class="hint">${message(locale, 'landing.closed')}</p>`
  }
  const asked = registrations === 'approved'
  return html`<p class="actions">
      <a class="button" href="${paths.signUp}">${message(locale, asked ? 'landing.ask' : 'landing.create')}</a>
      ${signIn}
    </p>
    ${asked && html`<p class="hint">${message(locale, 'landing.ask-hint')}</p>`}`
}
