import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { instanceFigures } from '../layout/instance-figures.ts'
import type { Counts } from '../layout/instance-figures.ts'
import { emptyFeed } from '../layout/pager.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths, signInPath } from '../paths.ts'
import { identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type LandingInput = {
  /** Plain text; if it is blank, the page shows a general explanation. */
  description: string
  /** null: the server does not publish them. */
  counts: Counts | null
  /** The contact account of the server. */
  contact?: PageAccount | null
  /** A wide image that represents the server. */
  picture?: { url: string; description?: string | null } | null
  /** Trending hashtags, with their display names. */
  trending: readonly { name: string; url: string }[]
  /** The newest local public posts; null if they are for users of this server only. */
  newest: readonly Post[] | null
  /** The URL of the page. */
  url: string
  /** The image in link previews. */
  preview: { url: string; description: string }
  now: Date
}

/** The front page: description of the server, log-in and sign-up, trends, and the newest posts. */
export function landingPage(frame: Frame, input: LandingInput): string {
  const { locale } = frame
  const lead = markup(locale, 'landing.lead', { domain: isolateDirection(frame.domain) })
  const description = input.description.trim()
  const body = html`<div class="landing">
    <section class="hero">
      <h1>${isolateDirection(frame.siteTitle)}</h1>
      ${description !== '' && html`<p class="lead" dir="auto">${description}</p>`}
      <p class="${description === '' ? 'lead' : 'quiet'}">${lead}</p>
      ${actions(frame)} ${input.counts && instanceFigures(locale, input.counts)}
      ${
        input.trending.length > 0 &&
        html`<div class="aside">
          <p class="quiet" id="trending">${message(locale, 'landing.trending')}</p>
          <ul class="tags" aria-labelledby="trending">
            ${input.trending.map(({ name, url }) => html`<li><a href="${url}">${isolateDirection(`#${name}`)}</a></li>`)}
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
    image: { url: input.preview.url, alt: input.preview.description, large: true },
    noindex: false,
  }
  return page(frame, { title: '', body, shape: 'wide', preview })
}

function actions({ locale, viewer, registrations }: Frame): SafeHtml {
  if (viewer)
    return html`<p class="actions">
      <a class="button" href="${paths.account}">${message(locale, 'layout.account')}</a>
    </p>`
  const signIn = html`<a class="button button-line" href="${signInPath(paths.home)}"
    >${message(locale, 'layout.sign-in')}</a
  >`
  if (registrations === 'none') {
    return html`<p class="actions">${signIn}</p>
      <p class="hint">${message(locale, 'landing.closed')}</p>`
  }
  const needsApproval = registrations === 'approved'
  return html`<p class="actions">
      <a class="button" href="${paths.signUp}">${message(locale, needsApproval ? 'landing.ask' : 'landing.create')}</a>
      ${signIn}
    </p>
    ${needsApproval && html`<p class="hint">${message(locale, 'landing.ask-hint')}</p>`}`
}
