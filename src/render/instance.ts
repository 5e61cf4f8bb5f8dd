import { campaignYear } from '../domain/annual-reports/campaign.ts'
import { readRegistrationsMode } from '../domain/accounts/registrations.ts'
import type { Read } from '../domain/context.ts'
import { readFeedAccess } from '../domain/feeds/access.ts'
import type { FeedAccesses } from '../domain/feeds/access.ts'
import { readRules } from '../domain/instance/rules.ts'
import type { RuleRow } from '../domain/instance/rules.ts'
import { readSettings } from '../domain/instance/settings.ts'
import type { Settings } from '../domain/instance/settings.ts'
import { countSite, readSite } from '../domain/instance/site.ts'
import { listTerms } from '../domain/instance/terms.ts'
import type { Counts, Site } from '../domain/instance/site.ts'
import { PROFILE_LIMITS } from '../domain/accounts/check-profile.ts'
import { MAX_DESCRIPTION_CHARACTERS } from '../domain/media/description.ts'
import { MAX_OPTION_CHARACTERS, MAX_OPTIONS, MAX_POLL_SECONDS, MIN_POLL_SECONDS } from '../domain/polls/check.ts'
import { MAX_CHARACTERS } from '../domain/statuses/check-text.ts'
import { MAX_MEDIA } from '../domain/statuses/claim-media.ts'
import { MAX_PINS } from '../domain/statuses/pin.ts'
import { MAX_FEATURED_TAGS } from '../domain/tags/feature.ts'
import type { Instance, V1Instance } from '../entities/instance.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { formatDocument } from '../lib/text/formatDocument.ts'
import { CHARACTERS_PER_URL } from '../lib/text/countCharacters.ts'
import type { Config, RegistrationsMode } from '../platform/config.ts'
import { findFfmpeg } from '../platform/media/ffmpeg.ts'
import { imageLimits } from '../platform/media/image-limits.ts'
import { movingLimits } from '../platform/media/moving-limits.ts'
import { renderAccounts } from './accounts.ts'

/** The release of Mastodon whose clients this server is made for; clients read features from it. */
const SPOKEN_VERSION = '4.6.5'

/** Mastodon's number for the changes of its API, by which clients offer quotes, collections and the like. */
const API_LEVEL = 11

/** What is told of the server may be this old. */
const FRESH_MS = 1_000
const COUNTS_FRESH_MS = 60_000

const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']
const VIDEO_TYPES = ['mp4', 'quicktime', 'webm', 'ogg', 'x-ms-asf'].map((name) => `video/${name}`)
/** Some under all the names that clients know them by. */
const SOUND_NAMES = 'wave wav x-wav x-pn-wave vnd.wave ogg vorbis mpeg mp3 webm flac aac m4a x-m4a mp4 3gpp'.split(' ')
const SOUND_TYPES = SOUND_NAMES.map((name) => `audio/${name}`)

interface Kept {
  at: number
  v1: Json<V1Instance>
  v2: Json<Instance>
}

const kept = new WeakMap<Config, Promise<Kept>>()
const keptCounts = new WeakMap<Config, { at: number; counts: Counts }>()

/** The server as it introduces itself, in both forms, as text that many requests share. */
export async function renderInstance(read: Read, { vapidKey }: { vapidKey: string }): Promise<Kept> {
  const known = await kept.get(read.config)
  if (known && Date.now() - known.at < FRESH_MS) return known
  const fresh = present(read, vapidKey)
  kept.set(read.config, fresh)
  // What could not be read now is asked again by the next request.
  fresh.catch(() => kept.delete(read.config))
  return fresh
}

async function present(read: Read, vapidKey: string): Promise<Kept> {
  const [site, counts, mode, settings, rules, terms, live, topic] = await Promise.all([
    readSite(read),
    freshCounts(read),
    readRegistrationsMode(read),
    readSettings(read),
    readRules(read),
    listTerms(read, { now: new Date() }),
    readFeedAccess(read, { subject: 'live' }),
    readFeedAccess(read, { subject: 'topic' }),
  ])
  const contact = site.contactAccountId === null ? [] : await renderAccounts(read, { ids: [site.contactAccountId] })
  const account = contact[0] === undefined ? null : (JSON.parse(contact[0]) as V1Instance['contact_account'])
  const message =
    mode === 'none' ? await formatDocument(settings['registrations-message'], { base: read.config.origin }) : ''
  const hasTerms = terms.some(({ effective }) => effective)
  const media = presentMediaLimits({ takesMoving: (await findFfmpeg(read.config)) !== null })
  const described = { site, counts, mode, message, settings, rules, hasTerms, live, topic, account, media }
  const facts = { config: read.config, ...described, vapidKey }
  return { at: Date.now(), v1: toJson(presentV1(facts)), v2: toJson(presentV2(facts)) }
}

/** How many people and statuses are here, as of the last minute. */
export async function freshCounts(read: Read): Promise<Counts> {
  const known = keptCounts.get(read.config)
  if (known && Date.now() - known.at < COUNTS_FRESH_MS) return known.counts
  const counts = await countSite(read)
  keptCounts.set(read.config, { at: Date.now(), counts })
  return counts
}

interface Facts {
  config: Config
  site: Site
  counts: Counts
  mode: RegistrationsMode
  /** HTML, said while nobody may sign up; empty: nothing is. */
  message: string
  settings: Settings
  rules: RuleRow[]
  /** Whether terms of service hold. */
  hasTerms: boolean
  live: FeedAccesses
  topic: FeedAccesses
  account: V1Instance['contact_account']
  media: ReturnType<typeof presentMediaLimits>
  vapidKey: string
}

const statuses = {
  max_characters: MAX_CHARACTERS,
  max_media_attachments: MAX_MEDIA,
  characters_reserved_per_url: CHARACTERS_PER_URL,
}

/** Without ffmpeg, moving pictures and sounds are not taken, which their limits say. */
function presentMediaLimits({ takesMoving }: { takesMoving: boolean }) {
  return {
    supported_mime_types: takesMoving ? [...PICTURE_TYPES, ...VIDEO_TYPES, ...SOUND_TYPES] : PICTURE_TYPES,
    image_size_limit: imageLimits.maxBytes,
    image_matrix_limit: imageLimits.maxInputPixels,
    video_size_limit: takesMoving ? movingLimits.maxBytes : 0,
    video_frame_rate_limit: takesMoving ? movingLimits.maxFramesPerSecond : 0,
    video_matrix_limit: takesMoving ? movingLimits.maxPixels : 0,
  }
}

/** Mastodon's figures, which clients expect to find. */
const polls = {
  max_options: MAX_OPTIONS,
  max_characters_per_option: MAX_OPTION_CHARACTERS,
  min_expiration: MIN_POLL_SECONDS,
  max_expiration: MAX_POLL_SECONDS,
}

function version(config: Config): string {
  return `${SPOKEN_VERSION} (compatible; Linnet ${config.version})`
}

function presentV2({ config, site, counts, mode, live, topic, account, media, vapidKey, ...facts }: Facts): Instance {
  return {
    domain: config.localDomain,
    title: site.title,
    version: version(config),
    source_url: facts.settings['source-code'] || `${config.origin}/`,
    description: site.description,
    usage: { users: { active_month: counts.activeMonth } },
    thumbnail: { url: `${config.origin}/pages/preview.png`, blurhash: null, versions: null, description: '' },
    icon: [48, 192, 512].map((size) => ({ src: `${config.origin}/pages/icon-${size}.png`, size: `${size}x${size}` })),
    languages: site.languages,
    configuration: {
      urls: {
        streaming: config.streamingUrl,
        status: facts.settings['status-page'] || null,
        about: `${config.origin}/about`,
        privacy_policy: `${config.origin}/privacy-policy`,
        terms_of_service: facts.hasTerms ? `${config.origin}/terms-of-service` : null,
      },
      vapid: { public_key: vapidKey },
      accounts: {
        max_featured_tags: MAX_FEATURED_TAGS,
        max_pinned_statuses: MAX_PINS,
        max_display_name_length: PROFILE_LIMITS.displayName,
        max_note_length: PROFILE_LIMITS.note,
        max_avatar_description_length: PROFILE_LIMITS.imageDescription,
        max_header_description_length: PROFILE_LIMITS.imageDescription,
        max_profile_fields: PROFILE_LIMITS.fields,
        profile_field_name_limit: PROFILE_LIMITS.fieldName,
        profile_field_value_limit: PROFILE_LIMITS.fieldValue,
      },
      statuses,
      media_attachments: { description_limit: MAX_DESCRIPTION_CHARACTERS, ...media },
      polls,
      translation: { enabled: config.translation !== null },
      timelines_access: { live_feeds: live, hashtag_feeds: topic, trending_link_feeds: topic },
      limited_federation: false,
    },
    registrations: {
      enabled: mode !== 'none',
      approval_required: mode === 'approved',
      reason_required: false,
      message: facts.message || null,
      min_age: null,
      url: null,
    },
    api_versions: { mastodon: API_LEVEL },
    contact: { email: site.contactEmail, account },
    rules: facts.rules,
    wrapstodon: facts.settings['annual-reports'] ? campaignYear(new Date()) : null,
  }
}

function presentV1({ config, site, counts, mode, account, media, rules }: Facts): V1Instance {
  return {
    uri: config.localDomain,
    title: site.title,
    short_description: site.description,
    description: site.description,
    email: site.contactEmail,
    version: version(config),
    urls: { streaming_api: config.streamingUrl },
    stats: { user_count: counts.users, status_count: counts.statuses, domain_count: counts.domains },
    thumbnail: `${config.origin}/pages/preview.png`,
    languages: site.languages,
    registrations: mode !== 'none',
    approval_required: mode === 'approved',
    invites_enabled: false,
    configuration: { accounts: { max_featured_tags: MAX_FEATURED_TAGS }, statuses, media_attachments: media, polls },
    contact_account: account,
    rules,
  }
}
