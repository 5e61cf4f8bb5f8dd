import { removeArchiveFiles } from '../domain/transfers/archives/account-archives.ts'
import { undoArchiveImport } from '../domain/transfers/imports/undo-archive-import.ts'
import { runImports } from '../domain/transfers/imports/run-imports.ts'
import { buildArchive } from '../federation/archive/build-archive.ts'
import { importPosts } from '../federation/archive/import-posts.ts'
import { mailArchive } from '../mail/archive.ts'
import { yielding } from './effect-table.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of imports and archives of users. */
export const transferEffects = {
  'account_import.due': { runImports: yielding(runImports) },
  'account_import.posts_due': { importPosts: yielding(importPosts) },
  'account_import.undo_due': { undoArchiveImport: yielding(undoArchiveImport) },
  'account_archive.requested': { buildArchive },
  'account_archive.finished': { mailArchive },
  'account_archive.orphaned': { removeArchiveFiles },
} satisfies EffectsOf<'account_archive' | 'account_import'>
