import { clientSettings } from '../../lib/settings.ts'

/** The most columns that fit beside the current page. */
const MAX_COLUMNS = 2

/** The width from which the client shows pinned columns. */
export const WIDE_ENOUGH = '(width >= 120rem)'

/** Pins the page at a path as a column, in place of the oldest one if there is no room, or unpins it. */
export function toggleColumn(path: string): void {
  const { pinnedColumns } = clientSettings.get()
  clientSettings.change({
    pinnedColumns: pinnedColumns.includes(path)
      ? pinnedColumns.filter((pinned) => pinned !== path)
      : [...pinnedColumns, path].slice(-MAX_COLUMNS),
  })
}
