/** Some files and folders of a tree, with all that lies in those folders. */
export interface PathScope {
  /** Whether a path, with `/`, is one of them or lies in one of them. */
  covers(path: string): boolean;
  /** Whether one of them lies in this folder. */
  leadsInto(folder: string): boolean;
}
