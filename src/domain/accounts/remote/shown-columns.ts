/** The columns of a remote account that its actor document determines and that pages or the API show. */
export interface ShownColumns {
  username: string
  domain: string | null
  url: string
  actor_type: string
  display_name: string
  note: string
  fields: unknown
  avatar_remote_url: string | null
  avatar_description: string
  header_remote_url: string | null
  header_description: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  hide_collections: boolean | null
  memorial: boolean
  attribution_domains: readonly string[]
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  feature_automatic: readonly string[] | null
  feature_manual: readonly string[] | null
  moved_to_account_id: string | null
  emoji_ids: readonly string[]
}

const COLUMNS: Record<keyof ShownColumns, true> = {
  username: true,
  domain: true,
  url: true,
  actor_type: true,
  display_name: true,
  note: true,
  fields: true,
  avatar_remote_url: true,
  avatar_description: true,
  header_remote_url: true,
  header_description: true,
  locked: true,
  discoverable: true,
  indexable: true,
  hide_collections: true,
  memorial: true,
  attribution_domains: true,
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  feature_automatic: true,
  feature_manual: true,
  moved_to_account_id: true,
  emoji_ids: true,
}

export const SHOWN_COLUMNS = Object.keys(COLUMNS) as readonly (keyof ShownColumns)[]
