-- What an account pays for, as the payment service said last.
CREATE TABLE billing (
  account_id uuid NOT NULL PRIMARY KEY,
  record     text NOT NULL
);

-- Events of the payment service name its customer, not the account.
CREATE TABLE billing_customers (
  -- In the order of bytes, so that each node lists the same way.
  customer_id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id  uuid NOT NULL
);
