-- What an account pays for, as the payment service said last.
CREATE TABLE billing (
  account_id TEXT NOT NULL PRIMARY KEY,
  record     TEXT NOT NULL
) STRICT;

-- Events of the payment service name its customer, not the account.
CREATE TABLE billing_customers (
  customer_id TEXT NOT NULL PRIMARY KEY,
  account_id  TEXT NOT NULL
) STRICT;
