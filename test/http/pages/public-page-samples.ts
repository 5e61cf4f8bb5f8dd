import type { Locale } from '../../../src/lib/messages/locales.ts'
import { aboutPage } from '../../../src/http/pages/about/template.ts'
import { clientsPage } from '../../../src/http/pages/clients/template.ts'
import { documentPage } from '../../../src/http/pages/about/document-template.ts'
import { embedPage } from '../../../src/http/pages/thread/embed-template.ts'
import { historyPage, versionArticle } from '../../../src/http/pages/thread/history-template.ts'
import type { Version } from '../../../src/http/pages/thread/history-template.ts'
import { followPage, nothingFoundPage, postPage } from '../../../src/http/pages/interaction/template.ts'
import type { Post } from '../../../src/http/pages/post/template.ts'
import type { Preview } from '../../../src/http/pages/layout/preview.ts'
import { profilePage, suspendedPage } from '../../../src/http/pages/profile/template.ts'
import type { Profile, ProfileInput } from '../../../src/http/pages/profile/template.ts'
import { tagPage } from '../../../src/http/pages/tag/template.ts'
import { threadPage } from '../../../src/http/pages/thread/template.ts'
import { raw } from '../../../src/lib/html/html.ts'
import { framesIn, HOSTILE, HOSTILE_URL, now, viewer, post, HOSTILE_WITHOUT_BIDI } from './hostile-page-text.ts'

const preview: Preview = {
  type: 'article',
  title: HOSTILE,
  description: HOSTILE,
  url: HOSTILE_URL,
  image: { url: HOSTILE_URL, alt: HOSTILE, width: 1, height: 1, large: true },
  username: HOSTILE,
  creator: HOSTILE,
  at: now,
  editedAt: now,
  alternates: [{ type: HOSTILE, href: HOSTILE_URL, title: HOSTILE }],
  noindex: true,
}
const fullPost: Post = {
  ...post,
  id: '3',
  card: {
    url: HOSTILE_URL,
    title: HOSTILE,
    description: HOSTILE,
    provider: HOSTILE,
    author: HOSTILE,
    at: now,
    image: { url: HOSTILE_URL, description: HOSTILE, blurhash: HOSTILE, width: 2, height: 1 },
    language: HOSTILE,
    plays: true,
  },
  rebloggedBy: viewer,
  replyTo: { handle: HOSTILE, url: HOSTILE_URL },
  editedAt: now,
  historyUrl: HOSTILE_URL,
  unlisted: true,
  quotable: false,
}
const quoting: Post = { ...fullPost, id: '4', warning: '', sensitive: false, media: [], quote: { ...post, id: '5' } }
const carded: Post = { ...fullPost, id: '6', media: [], replyTo: 'self', rebloggedBy: null }
const posts = [fullPost, quoting, carded]
const profile: Profile = {
  account: viewer,
  avatarDescription: HOSTILE,
  header: { url: HOSTILE_URL, description: HOSTILE },
  note: raw('<p>clean</p>'),
  fields: [
    { name: HOSTILE, value: raw('clean'), verifiedAt: now },
    { name: HOSTILE, value: raw('clean'), verifiedAt: null },
  ],
  joinedAt: now,
  posts: 1,
  followCounts: { following: 2, followers: 3 },
  roles: [HOSTILE],
  automated: true,
  group: true,
  locked: true,
  memorial: true,
  limited: false,
  movedTo: viewer,
  tags: [{ name: HOSTILE, url: HOSTILE_URL, posts: 1 }],
  hasMediaTab: true,
}
const pages = { newer: HOSTILE_URL, older: HOSTILE_URL }
const profileInput: ProfileInput = {
  profile,
  tab: 'posts',
  pinned: [carded],
  posts: [fullPost, quoting],
  pages,
  path: HOSTILE_URL,
  feedUrl: HOSTILE_URL,
  followUrl: HOSTILE_URL,
  preview,
  now,
}
const version: Version = {
  number: 2,
  at: now,
  text: HOSTILE,
  warning: HOSTILE,
  sensitive: true,
  options: [HOSTILE],
  media: [{ id: '1', description: HOSTILE }],
}
const versions = [
  {
    version,
    before: {
      ...version,
      number: 1,
      text: `${HOSTILE} before`,
      warning: '',
      sensitive: false,
      options: [],
      media: [{ id: '2', description: HOSTILE }],
    },
  },
  { version: { ...version, number: 1 }, before: null },
]

/** Renders the public pages, like `samplePages`. */
export function publicPages(locale: Locale): Readonly<Record<string, string>> {
  const { frame, inside } = framesIn(locale)
  return {
    profile: profilePage(frame, profileInput),
    'profile, media, limited': profilePage(inside, {
      ...profileInput,
      tab: 'media',
      profile: { ...profile, limited: true, memorial: false, movedTo: null },
      posts,
    }),
    'profile, a hashtag, empty': profilePage(frame, {
      ...profileInput,
      tab: { tagged: HOSTILE },
      profile: { ...profile, account: { ...viewer, avatar: null }, header: null, followCounts: null },
      pinned: [],
      posts: [],
    }),
    suspended: suspendedPage(frame, { handle: HOSTILE }),
    thread: threadPage(frame, {
      title: HOSTILE,
      post: fullPost,
      before: [quoting],
      replies: [{ post: carded, depth: 9 }],
      cut: true,
      preview,
      now,
    }),
    embed: embedPage(frame, { post: fullPost, preview, now }),
    history: historyPage(frame, {
      author: viewer,
      postUrl: HOSTILE_URL,
      articles: versions.map((one) => versionArticle(locale, { ...one, isCurrent: one.version.number === 2 })),
      newer: HOSTILE_URL,
      older: HOSTILE_URL,
      preview,
    }),
    tag: tagPage(frame, { name: HOSTILE, posts, pages, feedUrl: HOSTILE_URL, preview, now }),
    'tag, log-in required': tagPage(frame, { name: HOSTILE, posts: null, pages, feedUrl: HOSTILE_URL, preview, now }),
    document: documentPage(frame, { title: HOSTILE_WITHOUT_BIDI, content: raw('<p>clean</p>'), since: now, preview }),
    'document, blank': documentPage(frame, { title: HOSTILE_WITHOUT_BIDI, content: raw(''), since: null, preview }),
    clients: clientsPage(frame, { names: [HOSTILE, 'wren'] }),
    about: aboutPage(
      { ...frame, registrations: 'none' },
      {
        description: HOSTILE,
        extendedDescription: raw('<p>clean</p>'),
        rules: [{ text: HOSTILE, hint: HOSTILE }],
        closedMessage: raw('<p>clean</p>'),
        domainBlocks: [{ domain: HOSTILE, severity: 'suspend', comment: HOSTILE }],
        contact: viewer,
        email: HOSTILE,
        counts: { users: 1, statuses: 2, activeMonth: 3 },
        preview,
      },
    ),
    follow: followPage(inside, { uri: HOSTILE, account: viewer, locked: true, followState: 'none', failed: true }),
    'follow, requested': followPage(inside, { uri: HOSTILE, account: viewer, locked: true, followState: 'requested' }),
    'remote post': postPage(inside, {
      uri: HOSTILE,
      post: fullPost,
      favourited: false,
      reblogged: false,
      canReblog: true,
      failed: true,
      now,
    }),
    'nothing found': nothingFoundPage(inside, { uri: HOSTILE }),
  }
}
