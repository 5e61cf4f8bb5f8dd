/** Why an entry of an archive was not imported, or not completely. The texts are messages. */
const ARCHIVE_FAILURE_REASONS = [
  'account-refused',
  'archive-without-account',
  'entry-too-large',
  'entry-unreadable',
  'files-missing',
  'bookmark-not-found',
  'favourite-not-found',
  'poll-refused',
  'post-empty',
  'post-refused',
  'post-too-long',
  'post-undated',
  'post-unreadable',
] as const
export type ArchiveFailureReason = (typeof ARCHIVE_FAILURE_REASONS)[number]

/** A reason. `some-files-missing`: the post was imported without some of its files. */
export type ArchiveFailure =
  | { reason: ArchiveFailureReason }
  | { reason: 'some-files-missing'; missing: number; files: number }

/** Returns the cells of a row that store a failure. `uri`: the id of the post; empty if it is unknown. */
export function storeArchiveFailure(uri: string, failure: ArchiveFailure): string[] {
  return failure.reason === 'some-files-missing'
    ? [uri, failure.reason, String(failure.missing), String(failure.files)]
    : [uri, failure.reason]
}

/** Returns the failure that `storeArchiveFailure` has stored. */
export function readArchiveFailure(cells: readonly string[]): { uri: string; failure: ArchiveFailure } {
  const [uri = '', stored, missing, files] = cells
  if (stored === 'some-files-missing')
    return { uri, failure: { reason: stored, missing: Number(missing), files: Number(files) } }
  const reason = ARCHIVE_FAILURE_REASONS.find((one) => one === stored) ?? 'post-refused'
  return { uri, failure: { reason } }
}
