import { authorizedApplicationsPage } from '../../../src/http/pages/authorized-applications/template.ts'
import { exportPage } from '../../../src/http/pages/exports/template.ts'
import { filterPage, filtersPage } from '../../../src/http/pages/filters/template.ts'
import { importPage, importsPage, undoPage } from '../../../src/http/pages/imports/template.ts'
import { invitesPage } from '../../../src/http/pages/invites/template.ts'
import { loginActivitiesPage } from '../../../src/http/pages/login-activities/template.ts'
import { termsReviewPage } from '../../../src/http/pages/about/terms-review-template.ts'
import { severedRelationshipsPage } from '../../../src/http/pages/severed-relationships/template.ts'
import { ownApplicationPage, ownApplicationsPage } from '../../../src/http/pages/own-applications/template.ts'
import { preferencesPage } from '../../../src/http/pages/preferences/template.ts'
import { statusesCleanupPage } from '../../../src/http/pages/statuses-cleanup/template.ts'
import { sessionsPage } from '../../../src/http/pages/sessions/template.ts'
import type { Locale } from '../../../src/lib/messages/locales.ts'
import { framesIn, HOSTILE, HOSTILE_URL, HOSTILE_WITHOUT_BIDI, now } from './hostile-page-text.ts'

const invite = {
  id: HOSTILE,
  code: HOSTILE,
  url: HOSTILE_URL,
  max_uses: 5,
  uses: 1,
  expires_at: now,
  autofollow: true,
  comment: HOSTILE,
  created_at: now,
  available: true,
}
const exportCounts = {
  statuses: 1234,
  followers: 2,
  follows: 3,
  mutes: 1,
  blocks: 0,
  domainBlocks: 0,
  bookmarks: 5,
  lists: 1,
  filters: 2,
  mediaBytes: 123_456_789,
}

const archive = { id: '1', name: 'a', requestedAt: now, finishedAt: now, byteSize: 1234 }

const accountImport = {
  id: '1',
  type: 'following',
  overwrite: true,
  state: 'unconfirmed',
  fileName: HOSTILE,
  total: 1234,
  processed: 1000,
  imported: 990,
  failed: 10,
  createdAt: now,
  finishedAt: null,
  posts: 7,
  undoableUntil: null,
  undo: null,
} as const
const archiveImport = { ...accountImport, type: 'archive', state: 'finished', undoableUntil: now } as const

const session = {
  id: '1',
  ip: HOSTILE,
  userAgent: HOSTILE,
  createdAt: now,
  lastUsedAt: now,
  current: false,
}
const activity = {
  id: '1',
  method: 'password',
  provider: null,
  success: true,
  ip: HOSTILE,
  userAgent: HOSTILE,
  createdAt: now,
} as const
const severance = {
  id: '1',
  type: 'domain_block',
  targetName: HOSTILE,
  createdAt: now,
  followersCount: 2,
  followingCount: 1,
  listsFollowers: true,
  listsFollowing: true,
} as const
const application = {
  id: '1',
  name: HOSTILE,
  website: HOSTILE_URL,
  scopes: ['read', 'admin:read', HOSTILE_WITHOUT_BIDI],
  authorizedAt: now,
  lastUsedAt: null,
}
const ownApplication = {
  id: '1',
  name: HOSTILE,
  website: HOSTILE_URL,
  redirectUris: HOSTILE,
  scopes: ['read'],
  clientId: HOSTILE_WITHOUT_BIDI,
  secrets: { clientSecret: HOSTILE_WITHOUT_BIDI, accessToken: HOSTILE_WITHOUT_BIDI },
}
const filter = {
  id: '1',
  title: HOSTILE,
  context: ['home' as const],
  expires_at: now.toISOString(),
  filter_action: 'warn' as const,
  keywords: [{ id: '1', keyword: HOSTILE, whole_word: true }],
  statuses: [],
}
const filterForm = {
  id: '1',
  title: HOSTILE,
  contexts: ['home'],
  action: 'hide',
  expiresAt: now,
  keywords: filter.keywords,
  statuses: 2,
  now,
} as const
const preferences = {
  timeZone: HOSTILE,
  chosenLanguages: ['de'],
  expandMedia: 'default',
  expandSpoilers: true,
  autoplayGifs: false,
  aggregateReblogs: true,
  defaultPrivacy: null,
  defaultSensitive: false,
  defaultLanguage: HOSTILE,
  defaultQuotePolicy: 'public',
  showApplication: true,
} as const
const cleanupPolicy = {
  enabled: true,
  minAgeSeconds: 2_629_746,
  keepPinned: true,
  keepDirect: false,
  keepFavourited: true,
  keepBookmarked: true,
  keepPolls: false,
  keepMedia: true,
  minFavourites: 10,
  minReblogs: null,
}
const problem = (attribute: string) => ({ attribute, code: HOSTILE_WITHOUT_BIDI, text: HOSTILE_WITHOUT_BIDI })

/** Renders the pages of a user's own account, with hostile text wherever a user, app or server can provide text. */
export function accountPages(locale: Locale): Readonly<Record<string, string>> {
  const { inside } = framesIn(locale)
  return {
    invites: invitesPage(inside, {
      invites: [invite, { ...invite, available: false, max_uses: null }],
      pages: { newer: '/newer', older: '/older' },
      created: HOSTILE_URL,
      expired: true,
      values: { maxUses: HOSTILE, expiresIn: HOSTILE, autofollow: true, comment: HOSTILE },
      errors: [{ attribute: 'comment', code: HOSTILE_WITHOUT_BIDI, text: HOSTILE_WITHOUT_BIDI }],
    }),
    'data export': exportPage(inside, { counts: exportCounts, archives: [], retentionDays: 7, canRequest: true }),
    'data export, archives': exportPage(inside, {
      counts: exportCounts,
      archives: [{ ...archive, id: '2', finishedAt: null, byteSize: null }, archive],
      retentionDays: 7,
      canRequest: false,
    }),
    imports: importsPage(inside, {
      recent: [accountImport, { ...accountImport, state: 'in_progress' }],
      type: 'muting',
      mode: 'overwrite',
      maxArchiveMegabytes: 2_048,
      errors: [{ attribute: 'file', code: HOSTILE_WITHOUT_BIDI, text: HOSTILE_WITHOUT_BIDI }],
    }),
    'import, unconfirmed': importPage(inside, { item: accountImport }),
    'import, in progress': importPage(inside, { item: { ...accountImport, state: 'in_progress' } }),
    'import, finished': importPage(inside, { item: { ...accountImport, state: 'finished' } }),
    'import of posts, finished': importPage(inside, { item: archiveImport }),
    'import of posts, being undone': importPage(inside, { item: { ...archiveImport, undo: 'requested' } }),
    'import of posts, undo': undoPage(inside, { item: archiveImport }),
    sessions: sessionsPage(inside, { sessions: [{ ...session, current: true }, session] }),
    'log-in history': loginActivitiesPage(inside, {
      activities: [activity, { ...activity, method: 'otp', success: false }],
      pages: { newer: '/newer', older: '/older' },
    }),
    'lost connections': severedRelationshipsPage(inside, {
      severances: [
        severance,
        { ...severance, type: 'user_domain_block', listsFollowers: false, listsFollowing: false },
      ],
      pages: { newer: '/newer', older: '/older' },
    }),
    'review of new terms': termsReviewPage(inside, { effectiveDate: '2026-12-31', effective: false }),
    'authorised apps': authorizedApplicationsPage(inside, { applications: [application] }),
    'own applications': ownApplicationsPage(inside, {
      applications: [{ ...ownApplication, redirectUris: [HOSTILE] }],
      deleted: true,
    }),
    'own application': ownApplicationPage(inside, { ...ownApplication, saved: true, errors: [problem('name')] }),
    filters: filtersPage(inside, { filters: [filter], now }),
    filter: filterPage(inside, { ...filterForm, errors: [problem('title')] }),
    preferences: preferencesPage(inside, {
      preferences,
      languages: [{ code: 'de', name: 'German' }],
      timeZones: ['Europe/Berlin'],
      saved: true,
      errors: [problem('time_zone')],
    }),
    'automated post deletion': statusesCleanupPage(inside, { policy: cleanupPolicy, saved: true }),
    'automated post deletion, invalid': statusesCleanupPage(inside, {
      policy: cleanupPolicy,
      thresholds: { minFavourites: HOSTILE, minReblogs: '' },
      errors: [problem('min_age'), problem('min_favourites')],
    }),
  }
}
