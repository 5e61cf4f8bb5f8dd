import { html, isolate } from '../../lib/html.ts'
import type { SafeHtml } from '../../lib/html.ts'
import { formatsFor } from './formats.ts'
import { page } from './layout.ts'
import type { Frame } from './layout.ts'
import { mark } from './mark.ts'
import { paths } from './paths.ts'
import { identity } from './person.ts'
import type { Person } from './person.ts'
import { postArticle } from './post.ts'
import type { Post } from './post.ts'
import { textFor } from './text.ts'
import type { Text } from './text.ts'

export type LandingInput = {
  /** Plain text; blank lets the page explain itself. */
  description: string
  people: number
  posts: number
  /** People seen in the last four weeks. */
  active: number
  /** Whom to turn to. */
  contact?: Person | null
  /** A wide picture of the server. */
  picture?: { url: string; description?: string | null } | null
  /** The newest public posts that were written here. */
  newest: readonly Post[]
  now: Date
}

/** The front page: what this server is, how to come in, and what is being said. */
export function landingPage(frame: Frame, input: LandingInput): string {
  const text = textFor(frame.lang)
  const { landing } = text
  const lead = landing.lead(isolate(frame.domain))
  const description = input.description.trim()
  const body = html`<div class="landing">
    <section class="hero">
      <h1>${isolate(frame.siteTitle)}</h1>
      ${description !== '' && html`<p class="lead" dir="auto">${description}</p>`}
      <p class="${description === '' ? 'lead' : 'quiet'}">${lead}</p>
      ${actions(frame, text)}
      <dl class="facts" aria-label="${landing.facts}">
        ${fact(landing.people(input.people))} ${fact(landing.posts(input.posts))}
        ${fact([formatsFor(text.lang).number.format(input.active), landing.active()])}
      </dl>
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
        html`<div class="contact">
          <p class="quiet">${landing.runBy}</p>
          ${identity(input.contact)}
        </div>`
      }
    </section>
    <section class="feed" aria-labelledby="newest">
      <h2 class="feed-title" id="newest">${landing.newest}</h2>
      ${
        input.newest.length === 0
          ? html`<div class="empty">
              ${mark}
              <p>${landing.empty}</p>
            </div>`
          : input.newest.map((post) => postArticle(text, { post, now: input.now }))
      }
    </section>
  </div>`
  return page(frame, { title: '', body, shape: 'wide', description: description || frame.domain })
}

function fact([number, noun]: [number: string, noun: string]): SafeHtml {
  return html`<div>
    <dt>${noun}</dt>
    <dd>${number}</dd>
  </div>`
}

function actions({ viewer, registrations }: Frame, { layout, landing }: Text): SafeHtml {
  if (viewer) return html`<p class="actions"><a class="button" href="${paths.account}">${layout.account}</a></p>`
  const signIn = html`<a class="button button-line" href="${paths.signIn}">${layout.signIn}</a>`
  if (registrations === 'none') {
    return html`<p class="actions">${signIn}</p>
      <p class="hint">${landing.closed}</p>`
  }
  const asked = registrations === 'approved'
  return html`<p class="actions">
      <a class="button" href="${paths.signUp}">${asked ? landing.ask : landing.create}</a> ${signIn}
    </p>
    ${asked && html`<p class="hint">${landing.askHint}</p>`}`
}
