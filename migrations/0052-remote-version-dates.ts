/**
 * The date of the newest version of a remote status if that version is no edit, because it changed neither the text nor
 * an attachment nor the poll. Decides together with `edited_at` which of two versions is newer. Null: no such version.
 */
export const up = `alter table statuses add column origin_updated_at timestamptz`
