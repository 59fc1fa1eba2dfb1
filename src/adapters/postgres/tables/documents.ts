export interface Documents {
  tenant: string;
  hash: string;
  media_type: string;
  /** Null: in object storage, under `object_key`. */
  bytes: Buffer | null;
  object_key: string | null;
  stored_at: number;
}

export interface LooseObjects {
  object_key: string;
  due_at: number;
}

export interface Retention {
  tenant: string;
  document_days: number;
  record_days: number | null;
  set_at: number;
}
