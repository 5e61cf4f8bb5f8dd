interface Kind {
  /** What belongs to it: the status that was written, favourited or boosted; the collection that somebody was put into; the report. */
  attaches: 'status' | 'collection' | 'report' | 'nothing'
  /** Whether several of it may be shown as one, such as the favourites of one post. */
  groups: boolean
}

/** Every kind of notification there is. To add one: a line here, and the effect that writes it. */
export const KINDS = {
  mention: { attaches: 'status', groups: false },
  /** Somebody followed with a notice for each post has posted. */
  status: { attaches: 'status', groups: false },
  /** A status that one boosted has been edited. */
  update: { attaches: 'status', groups: false },
  /** The status is the boosted one, not the boost. */
  reblog: { attaches: 'status', groups: true },
  favourite: { attaches: 'status', groups: true },
  /** A poll is over in which one voted, or that one made. */
  poll: { attaches: 'status', groups: false },
  /** The status is the one that quotes. */
  quote: { attaches: 'status', groups: false },
  /** What one quoted has been edited; the status is one's own, which quotes it. */
  quoted_update: { attaches: 'status', groups: false },
  follow: { attaches: 'nothing', groups: true },
  follow_request: { attaches: 'nothing', groups: false },
  added_to_collection: { attaches: 'collection', groups: false },
  /** A collection that one is in says something else about itself. */
  collection_update: { attaches: 'collection', groups: false },
  /** To the staff: somebody new can be met here. */
  'admin.sign_up': { attaches: 'nothing', groups: true },
  /** To the staff: somebody told them of somebody. */
  'admin.report': { attaches: 'report', groups: false },
} as const satisfies Record<string, Kind>

export type NotificationKind = keyof typeof KINDS
