import { campaignYear } from '../../domain/annual-reports/annual-report-campaign.ts'
import { canEveryoneInvite } from '../../domain/access/permissions.ts'
import { readRegistrationsMode } from '../../domain/accounts/registration/read-registrations-mode.ts'
import type { CachedRead, Ctx } from '../../domain/context.ts'
import { readTimelineAccess } from '../../domain/timelines/public/timeline-access.ts'
import type { TimelineAccesses } from '../../domain/timelines/public/timeline-access.ts'
import { listRules } from '../../domain/instance/rules.ts'
import type { RuleRow } from '../../domain/instance/rules.ts'
import { readSettings } from '../../domain/instance/instance-settings.ts'
import type { Settings } from '../../domain/instance/setting-definitions.ts'
import { countInstance, readInstanceInformation } from '../../domain/instance/instance-information.ts'
import { findThumbnail } from '../../domain/instance/thumbnail.ts'
import type { ThumbnailRow } from '../../domain/instance/thumbnail.ts'
import { listTerms } from '../../domain/instance/terms-of-service.ts'
import type { InstanceCounts, InstanceInformation } from '../../domain/instance/instance-information.ts'
import { PROFILE_LIMITS } from '../../domain/accounts/profile/check-profile.ts'
import { MAX_DESCRIPTION_CHARACTERS } from '../../domain/media/uploads/check-description.ts'
import {
  MAX_OPTION_CHARACTERS,
  MAX_OPTIONS,
  MAX_POLL_SECONDS,
  MIN_POLL_SECONDS,
} from '../../domain/polls/check-poll.ts'
import { MAX_CHARACTERS } from '../../domain/text/check-text.ts'
import { MAX_MEDIA } from '../../domain/statuses/parts/claim-media.ts'
import { MAX_PINS } from '../../domain/statuses/interactions/pin-status.ts'
import { MAX_FEATURED_TAGS } from '../../domain/tags/feature-tag.ts'
import type { Account } from '../../entities/accounts/account.ts'
import type { Instance, V1Instance } from '../../entities/instance/instance.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { formatDocument } from '../../lib/html/format-document.ts'
import { CHARACTERS_PER_URL } from '../../lib/text/count-characters.ts'
import type { Config, RegistrationsMode } from '../../platform/config/config.ts'
import { findFfmpeg } from '../../platform/media/audio-video/find-ffmpeg.ts'
import { imageLimits } from '../../platform/media/images/image-limits.ts'
import { audioVideoLimits } from '../../platform/media/audio-video/audio-video-limits.ts'
import { renderAccounts } from '../accounts/render-accounts.ts'
import { instanceIcons, instanceThumbnail } from './instance-images.ts'

/** The release of Mastodon that this server is compatible with; clients derive features from it. */
const MASTODON_VERSION = '4.6.5'

/** The version of Mastodon's API, from which clients derive whether to offer quotes, collections and other features. */
const API_LEVEL = 11

/**
 * Maximum age of a cached instance and of the cached counts. A script that changes a setting and reads the instance gets
 * the new value.
 */
const MAX_AGE_MS = 100
const COUNTS_MAX_AGE_MS = 60_000

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']
const VIDEO_TYPES = ['mp4', 'quicktime', 'webm', 'ogg', 'x-ms-asf'].map((name) => `video/${name}`)
/** Includes the aliases that clients use. */
const AUDIO_NAMES = 'wave wav x-wav x-pn-wave vnd.wave ogg vorbis mpeg mp3 webm flac aac m4a x-m4a mp4 3gpp'.split(' ')
const AUDIO_TYPES = AUDIO_NAMES.map((name) => `audio/${name}`)

interface InstanceJson {
  /** When it was rendered, by `performance.now()`. */
  at: number
  v1: EntityJson<V1Instance>
  v2: EntityJson<Instance>
}

type CountsContext = Pick<Ctx, 'config' | 'readStale'>

const instances = new WeakMap<Config, Promise<InstanceJson>>()
const siteCounts = new WeakMap<Config, { at: number; counts: InstanceCounts }>()

/** Returns the instance in both versions. It is cached for a moment, so that requests share the queries. */
export async function renderInstance(
  ctx: Pick<Ctx, 'config' | 'read' | 'readStale' | 'now'>,
  { vapidKey }: { vapidKey: string },
): Promise<InstanceJson> {
  const cached = await instances.get(ctx.config)
  if (cached && performance.now() - cached.at < MAX_AGE_MS) return cached
  const loading = publishedCounts(ctx).then((counts) => ctx.read(loadInstance, { vapidKey, counts, now: ctx.now() }))
  instances.set(ctx.config, loading)
  // After a failure, the next request tries again.
  loading.catch(() => instances.delete(ctx.config))
  return loading
}

async function loadInstance(
  read: CachedRead,
  { vapidKey, counts, now }: { vapidKey: string; counts: InstanceCounts; now: Date },
): Promise<InstanceJson> {
  const [site, mode, settings, rules, terms, live, topic, invitesEnabled, thumbnail] = await Promise.all([
    readInstanceInformation(read),
    readRegistrationsMode(read),
    readSettings(read),
    listRules(read),
    listTerms(read, { now }),
    readTimelineAccess(read, { subject: 'live' }),
    readTimelineAccess(read, { subject: 'topic' }),
    canEveryoneInvite(read),
    findThumbnail(read),
  ])
  const ids = site.contactAccountId === null ? [] : [site.contactAccountId]
  const [account = null] = await renderAccounts(read, { ids })
  const message =
    mode === 'none' ? await formatDocument(settings['registrations-message'], { base: read.config.origin }) : ''
  const hasTerms = terms.some(({ effective }) => effective)
  const media = mediaLimits({ hasFfmpeg: (await findFfmpeg(read.config)) !== null })
  const described = {
    site,
    counts,
    mode,
    message,
    settings,
    rules,
    hasTerms,
    live,
    topic,
    invitesEnabled,
    account,
    thumbnail,
    media,
  }
  const source = { config: read.config, ...described, vapidKey, now }
  return { at: performance.now(), v1: v1InstanceJson(source), v2: instanceJson(source) }
}

/** Returns the numbers of users and statuses, at most a minute old. */
async function freshCounts(ctx: CountsContext): Promise<InstanceCounts> {
  const cached = siteCounts.get(ctx.config)
  if (cached && performance.now() - cached.at < COUNTS_MAX_AGE_MS) return cached.counts
  const counts = await ctx.readStale(countInstance, null)
  siteCounts.set(ctx.config, { at: performance.now(), counts })
  return counts
}

const NO_COUNTS: InstanceCounts = { users: 0, statuses: 0, domains: 0, activeMonth: 0, activeHalfYear: 0 }

/** Returns the counts that pages show; null with limited federation. */
export async function shownCounts(ctx: CountsContext): Promise<InstanceCounts | null> {
  return ctx.config.access.limitedFederation ? null : freshCounts(ctx)
}

/** Returns the counts that the server publishes: zeros with limited federation. */
export async function publishedCounts(ctx: CountsContext): Promise<InstanceCounts> {
  return (await shownCounts(ctx)) ?? NO_COUNTS
}

interface InstanceSource {
  config: Config
  site: InstanceInformation
  counts: InstanceCounts
  mode: RegistrationsMode
  /** Whether every user may invite others. */
  invitesEnabled: boolean
  /** HTML for closed registrations; may be empty. */
  message: string
  settings: Settings
  rules: RuleRow[]
  /** Whether terms of service are in effect. */
  hasTerms: boolean
  live: TimelineAccesses
  topic: TimelineAccesses
  account: EntityJson<Account> | null
  thumbnail: ThumbnailRow | null
  media: ReturnType<typeof mediaLimits>
  vapidKey: string
  now: Date
}

const statuses = {
  max_characters: MAX_CHARACTERS,
  max_media_attachments: MAX_MEDIA,
  characters_reserved_per_url: CHARACTERS_PER_URL,
}

/** Without ffmpeg, the server rejects video and audio, and their limits are 0. */
function mediaLimits({ hasFfmpeg }: { hasFfmpeg: boolean }) {
  return {
    supported_mime_types: hasFfmpeg ? [...IMAGE_TYPES, ...VIDEO_TYPES, ...AUDIO_TYPES] : IMAGE_TYPES,
    image_size_limit: imageLimits.maxBytes,
    image_matrix_limit: imageLimits.maxInputPixels,
    video_size_limit: hasFfmpeg ? audioVideoLimits.maxBytes : 0,
    video_frame_rate_limit: hasFfmpeg ? audioVideoLimits.maxFramesPerSecond : 0,
    video_matrix_limit: hasFfmpeg ? audioVideoLimits.maxPixels : 0,
  }
}

/** Mastodon's limits, which clients expect. */
const polls = {
  max_options: MAX_OPTIONS,
  max_characters_per_option: MAX_OPTION_CHARACTERS,
  min_expiration: MIN_POLL_SECONDS,
  max_expiration: MAX_POLL_SECONDS,
}

function version(config: Config): string {
  return `${MASTODON_VERSION} (compatible; Linnet ${config.version})`
}

function instanceJson({
  config,
  site,
  counts,
  mode,
  live,
  topic,
  account,
  media,
  vapidKey,
  ...source
}: InstanceSource): EntityJson<Instance> {
  return entityJson<Instance>({
    domain: config.localDomain,
    title: site.title,
    version: version(config),
    source_url: source.settings['source-code'] || `${config.origin}/`,
    description: site.description,
    usage: { users: { active_month: counts.activeMonth } },
    thumbnail: instanceThumbnail(config, source.thumbnail),
    icon: instanceIcons(config),
    languages: site.languages,
    configuration: {
      urls: {
        streaming: config.streamingUrl,
        status: source.settings['status-page'] || null,
        about: `${config.origin}/about`,
        privacy_policy: `${config.origin}/privacy-policy`,
        terms_of_service: source.hasTerms ? `${config.origin}/terms-of-service` : null,
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
      limited_federation: config.access.limitedFederation,
    },
    registrations: {
      enabled: mode !== 'none',
      approval_required: mode === 'approved',
      reason_required: mode === 'approved' && source.settings['require-invite-text'],
      message: source.message || null,
      min_age: source.settings['min-age'] || null,
      url: config.singleSignOn.signUpUrl,
    },
    api_versions: { mastodon: API_LEVEL },
    contact: { email: site.contactEmail, account },
    rules: source.rules,
    wrapstodon: source.settings['annual-reports'] ? campaignYear(source.now) : null,
  })
}

function v1InstanceJson({
  config,
  site,
  counts,
  mode,
  invitesEnabled,
  account,
  thumbnail,
  media,
  rules,
}: InstanceSource): EntityJson<V1Instance> {
  return entityJson<V1Instance>({
    uri: config.localDomain,
    title: site.title,
    short_description: site.description,
    description: site.description,
    email: site.contactEmail,
    version: version(config),
    urls: { streaming_api: config.streamingUrl },
    stats: { user_count: counts.users, status_count: counts.statuses, domain_count: counts.domains },
    thumbnail: instanceThumbnail(config, thumbnail).url,
    languages: site.languages,
    registrations: mode !== 'none',
    approval_required: mode === 'approved',
    invites_enabled: invitesEnabled,
    configuration: { accounts: { max_featured_tags: MAX_FEATURED_TAGS }, statuses, media_attachments: media, polls },
    contact_account: account,
    rules,
  })
}
